import FileProviding
import Foundation
import HTTPFiles
import Testing

@Suite struct HTTPConfigurationTests {
    private func decoded(_ json: String) throws -> HTTPSessionConfiguration {
        try JSONDecoder().decode(HTTPSessionConfiguration.self, from: Data(json.utf8))
    }

    @Test func whatWasStoredBeforeASettingExistedOpens() throws {
        #expect(try decoded("{}") == HTTPSessionConfiguration())
        var expected = HTTPSessionConfiguration()
        expected.deadlines.idle = 5
        expected.retry.maximumRetries = 1
        expected.limits.redirects = 2
        expected.userAgent = "me"
        let json = """
            {"deadlines": {"idle": 5}, "retry": {"maximumRetries": 1}, "limits": {"redirects": 2}, "userAgent": "me",
             "laterSetting": true}
            """
        #expect(try decoded(json) == expected)
    }

    @Test func whatIsStoredIsWhatWas() throws {
        var configuration = HTTPSessionConfiguration()
        configuration.deadlines.total = 60
        configuration.limits.bodyBytes = 1
        configuration.proxy = URL(string: "socks5://127.0.0.1:1080")
        configuration.pinnedCertificates = ["a": [String(repeating: "0", count: 64)]]
        configuration.extraHeaders = ["X-A": "b"]
        configuration.clientCertificate = ClientCertificate(
            certificate: LocalPath("/c.pem"), key: LocalPath("/k.pem"))
        #expect(try decoded(String(decoding: JSONEncoder().encode(configuration), as: UTF8.self)) == configuration)
    }

    @Test func nonsenseIsRefused() {
        #expect(throws: DecodingError.self) { try decoded("{\"userAgent\": 1}") }
    }
}
