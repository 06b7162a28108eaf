import FileProviderTesting
import FileProviding
import Foundation
import Testing

@testable import WebDAVFiles

@Suite struct TrashListingTests {
    /// More than the bound of a reply that is held in memory as it came.
    @Test func aTrashOfManyItemsIsListed() async throws {
        let item = String(repeating: "x", count: 4_000)
        let server = try InterruptedUploadTests.server("ownCloud") { request, _ in
            let members = (0..<3_000).map { number in
                "<D:href>\(request.target)\(number)</D:href>"
                    + propstat("<o:trashbin-original-location>\(item)</o:trashbin-original-location>")
            }
            return .reply(207, body: multistatus(members.joined(separator: "</D:response><D:response>")))
        }
        defer { server.stop() }
        #expect(try await InterruptedUploadTests.provider(server).trashedItems().count == 3_000)
    }
}
