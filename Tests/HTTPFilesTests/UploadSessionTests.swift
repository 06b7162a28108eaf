import FileProviderTesting
import FileProviding
import Foundation
import HTTPFiles
import Testing

/// A server's word about an upload session is examined, and a session is for a file's path.
@Suite struct UploadSessionTests {
    @Test(arguments: [Int64(-1), .min, .max])
    func noServerHoldsSoManyBytes(offset: Int64) async throws {
        let server = try ScriptedResponder { request in
            .reply(200, headers: request.method == "HEAD" ? [("X-Offset", "\(offset)")] : [], body: "")
        }
        defer { server.stop() }
        let provider = PlainProvider(server)
        let upload = try await provider.beginPartialWrite(path: "f", length: 5, resuming: nil, in: OperationContext())
        let state = try upload.saveState()
        let code = try await urlErrorCode {
            _ = try await provider.beginPartialWrite(path: "f", length: 5, resuming: state, in: OperationContext())
        }
        #expect(code == .badServerResponse)
    }

    @Test func aSessionIsForAPath() async throws {
        let server = try ScriptedResponder { _ in .reply(200) }
        defer { server.stop() }
        let id = try ItemPath(validating: "id:7")
        await #expect(throws: CocoaError.self) {
            try await PlainProvider(server).beginPartialWrite(
                path: id, length: 5, resuming: nil, in: OperationContext())
        }
        #expect(server.requests.isEmpty)
    }

    @Test func aFailureInTheBodyOfAStepIsOne() async throws {
        let server = try ScriptedResponder { _ in .reply(200, body: "failed after all") }
        defer { server.stop() }
        await #expect(throws: PlainError.self) {
            try await PlainProvider(server).beginPartialWrite(
                path: "f", length: 5, resuming: nil, in: OperationContext())
        }
    }
}

extension PlainProvider: HTTPUploadSessions {
    func uploadRequest(_ step: HTTPUploadStep, path: ItemPath, options: OperationOptions) -> HTTPRequest {
        switch step {
        case .begin, .commit: HTTPRequest(.post, url(of: path))
        case .status: HTTPRequest(.head, url(of: path))
        case .part: HTTPRequest(.patch, url(of: path))
        case .abort: HTTPRequest(.delete, url(of: path))
        }
    }

    func uploadSession(response: HTTPResponse, data: Data) -> String { "1" }

    func uploadOffset(response: HTTPResponse, data: Data) -> Int64 {
        response.headers["X-Offset"].flatMap(Int64.init) ?? 0
    }
}
