import Foundation
import HTTPFiles
import Testing

@Suite struct HTTPHeadersTests {
    @Test func looksUpWithoutCaseAndKeepsOrder() {
        var headers: HTTPHeaders = ["ETag": "a", "X": "1"]
        headers.add("x", "2")
        #expect(headers["etag"] == "a")
        #expect(headers.values("X") == ["1", "2"])
        headers["X"] = "3"
        #expect(headers.map(\.name) == ["ETag", "X"])
        #expect(headers == ["etag": "a", "x": "3"])
        headers["X"] = nil
        #expect(headers.count == 1)
    }

    @Test(arguments: [
        ("X", "a\r\nEvil: 1"), ("X", "a\nb"), ("X", "a\0b"), ("X\r\nEvil", "1"), ("X:", "1"), ("", "1"), ("X Y", "1"),
    ])
    func refusesInjection(name: String, value: String) {
        var headers = HTTPHeaders()
        let isTaken = headers.add(name, value)
        #expect(!isTaken)
        #expect(headers.count == 0)
        headers[name] = value
        #expect(headers.count == 0)
    }

    @Test func trimsValuesAndHidesThem() {
        var headers = HTTPHeaders()
        headers.add("Authorization", " \tBearer secret \t")
        #expect(headers["authorization"] == "Bearer secret")
        #expect(!"\(headers)".contains("secret"))
    }

    @Test func survivesCoding() throws {
        let headers: HTTPHeaders = ["B": "1", "A": "2", "B": "3"]
        let copy = try JSONDecoder().decode(HTTPHeaders.self, from: JSONEncoder().encode(headers))
        #expect(copy == headers)
    }
}
