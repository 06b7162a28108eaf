import FileProviderTesting
import FileProviding
import Foundation
import Testing

@testable import WebDAVFiles

/// Numbers that no honest server tells.
@Suite struct ExcessiveNumberTests {
    @Test(arguments: [("1000", 1000), ("0", 64 << 20), ("-1", 64 << 20), ("\(Int64.max)", 64 << 20)])
    func aPartOfAnUploadIsOfASizeThatMemoryHas(told: String, length: Int64) throws {
        let text = #"{"capabilities":{"files":{"tus_support":{"max_chunk_size":\#(told)}}}}"#
        let capabilities = try JSONDecoder().decode(CloudCapabilities.self, from: Data(text.utf8))
        #expect(capabilities.tusChunkLength == length)
    }

    @Test func aVolumeIsAsLargeAsNumbersAre() async throws {
        let server = try ScriptedResponder { _ in
            .reply(
                207,
                body: multistatus(
                    "<D:href>/d/</D:href>",
                    propstat(
                        """
                        <D:quota-available-bytes>\(Int64.max)</D:quota-available-bytes>
                        <D:quota-used-bytes>\(Int64.max)</D:quota-used-bytes>
                        """)))
        }
        defer { server.stop() }
        let url = server.url.appending(path: "d/")
        let provider = try WebDAVFileProvider(configuration: WebDAVConfiguration(url: url), credential: nil)
        #expect(try await provider.storageProperties()?.totalCapacity == .max)
    }

    @Test(arguments: [["-5"], ["\(Int64.max)", "1"]])
    func partsOfImpossibleSizeAreNotContinued(sizes: [String]) async throws {
        let server = try InterruptedUploadTests.server("ownCloud") { request, _ in
            guard request.method == "PROPFIND" else { return .reply(201) }
            let parts = sizes.enumerated().map { index, size in
                "<D:href>/x/0000\(index + 1)</D:href>"
                    + propstat("<D:resourcetype/><D:getcontentlength>\(size)</D:getcontentlength>")
            }
            return .reply(207, body: multistatus(parts.joined(separator: "</D:response><D:response>")))
        }
        defer { server.stop() }
        let saved = ChunkedUpload.Saved(path: "f", folder: "fp-x", length: 5)
        let upload = try await InterruptedUploadTests.provider(server).beginPartialWrite(
            path: "f", length: 5, resuming: JSONEncoder().encode(saved), in: OperationContext())
        #expect(upload.acknowledged == 0)
        #expect(server.requests.count { $0.method == "MKCOL" } == 1)
    }
}
