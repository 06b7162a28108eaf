import CloudCore
import FileProviding
import Foundation
import Testing

@Suite struct EventFailureTests {
    private struct ServerError: FileProviderHTTPError {
        let statusCode: Int
        let path = "file"
        let serverDescription: String? = nil
    }

    private static let meanings: [(any Error, EventFailure.Meaning)] = [
        (CancellationError(), .cancelled),
        (URLError(.cannotConnectToHost), .unreachable),
        (URLError(.networkConnectionLost), .interrupted),
        (URLError(.timedOut), .interrupted),
        (URLError(.serverCertificateUntrusted), .untrusted),
        (URLError(.serverCertificateNotYetValid), .untrusted),
        (URLError(.clientCertificateRejected), .unauthenticated),
        (URLError(.userAuthenticationRequired), .unauthenticated),
        (URLError(.appTransportSecurityRequiresSecureConnection), .unauthenticated),
        (CocoaError(.fileReadUnknown, userInfo: [NSUnderlyingErrorKey: URLError(.cannotConnectToHost)]), .interrupted),
        (CocoaError(.fileNoSuchFile), .missing),
        (CocoaError(.fileWriteFileExists), .occupied),
        (FileError.changed("file"), .changed),
        (FileError.isADirectory("file"), .blocked),
        (CocoaError(.fileLocking), .locked),
        (CocoaError(.fileWriteNoPermission), .refused),
        (CocoaError(.fileWriteOutOfSpace), .refused),
        (FileError.intoItself("directory"), .refused),
        // A server that says yes and stores nothing: its next answer may be another one.
        (CocoaError(.fileWriteUnknown), .troubled),
        (ServerError(statusCode: 500), .troubled),
        (ServerError(statusCode: 503), .maintenance),
        (ServerError(statusCode: 502), .unanswered),
        (ServerError(statusCode: 504), .unanswered),
        (ServerError(statusCode: 418), .refused),
    ]

    @Test("what an error means for a command, also after it was stored", arguments: meanings.indices)
    func meaning(index: Int) throws {
        let (error, meaning) = Self.meanings[index]
        let failure = EventFailure(error)
        #expect(failure.meaning == meaning, "\(error)")
        let stored = try JSONDecoder().decode(EventFailure.self, from: JSONEncoder().encode(failure))
        #expect(stored == failure)
    }

    @Test("what fails on this machine's disk says nothing of the server")
    func here() {
        #expect(EventFailure(CocoaError(.fileWriteOutOfSpace), isHere: true).meaning == .hindered)
        #expect(EventFailure(CancellationError(), isHere: true).meaning == .cancelled)
    }
}
