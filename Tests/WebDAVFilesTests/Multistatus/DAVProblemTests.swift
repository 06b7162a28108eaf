import Foundation
import Testing

@testable import WebDAVFiles

@Suite struct DAVProblemTests {
    @Test(
        arguments: [
            ("sabre-locked-error.xml", "lock-token-submitted", nil),
            ("wsgidav-locked-error.xml", "no-conflicting-lock", nil),
            ("sabre-missing-error.xml", nil, "File could not be located"),
            ("opencloud/propfind-missing.http", nil, "Resource not found"),
            ("opencloud/propfind-wrong-password.http", nil, "Authentication error"),
        ] as [(String, String?, String?)])
    func realErrors(name: String, precondition: String?, message: String?) throws {
        let problem = try #require(DAVProblem(errorBody: Fixture.body(name)))
        #expect(problem == DAVProblem(precondition: precondition, message: message))
    }

    @Test(arguments: [
        "", "Locked", "{}", "<html><body>No</body></html>", "<error/>", "<error xmlns='DAV:'>", "<error xmlns='DAV:'/>",
    ])
    func notAnError(text: String) {
        #expect(DAVProblem(errorBody: Data(text.utf8)) == nil)
    }

    @Test func page() throws {
        #expect(try DAVProblem(errorBody: Fixture.body("apache-missing-page.xml")) == nil)
    }
}
