import FileProviding
import Foundation
import HTTPFiles
import Testing

@testable import WebDAVFiles

/// The share API, from making a link to the receiver's view.
@Suite(.enabled(if: Face.areRunning, "needs Scripts/test-servers")) struct SharingTests {
    @Test func whoIsNeitherUserNorGroupIsSaidToBeWhat() async throws {
        let kinds: [(Int, Sharee.Kind)] = [
            (0, .user), (1, .group), (3, .link), (4, .email), (6, .remote), (7, .team), (10, .other),
        ]
        for (type, kind) in kinds {
            let text = #"{"id":"1","share_type":\#(type),"share_with":"x","password":"***"}"#
            let share = try JSONDecoder().decode(OCSShare.self, from: Data(text.utf8))
            #expect(share.receiver.kind == kind)
            #expect(share.hasPassword == [.link, .email].contains(kind))
        }
        let path: ItemPath = "file"
        let draft = ShareDraft(receiver: Sharee(kind: .other, id: "x"))
        await #expect { try await Face.nextcloud.provider().createShare(of: path, draft) } throws: { $0.isUnsupported }
    }

    @Test(arguments: Face.allCases)
    func aLinkIsMadeChangedListedAndEnded(face: Face) async throws {
        try await face.withDirectory { provider, directory in
            let path = try directory.appending("report.txt")
            try await provider.put("text", at: path)
            let end = Date(timeIntervalSince1970: 1_814_313_600)  // 2027-06-30
            let draft = ShareDraft(
                receiver: Sharee(kind: .link), permissions: .read, password: "Secret-Passw0rd", expiration: end,
                name: "report & more")
            let share = try await provider.createShare(of: path, draft)
            #expect(share.path == path && share.receiver.kind == .link && share.hasPassword)
            #expect(share.permissions.subtracting(.share) == .read && share.name == "report & more" && share.url != nil)
            #expect(share.expiration.map { $0 >= end && $0 < end + 86_400 } == true)
            #expect(share.owner?.id == "tester")

            let later = Date(timeIntervalSince1970: 1_832_889_600)  // 2028-01-31
            let changed = try await provider.updateShare(
                share, ShareDraft(receiver: share.receiver, expiration: later))
            #expect(changed.id == share.id && changed.name == "report & more" && changed.hasPassword)
            #expect(changed.expiration.map { $0 >= later } == true)

            #expect(try await provider.shares(of: path).map(\.id) == [share.id])
            #expect(try await provider.shares(of: nil).contains { $0.id == share.id && $0.path == path })
            #expect(try await provider.attributesOfItem(path: path)[.shareTypes] == [3])
            try await provider.removeShare(share)
            #expect(try await provider.shares(of: path).isEmpty)
        }
    }

    @Test(arguments: Face.allCases)
    func theReceiverSeesWhatIsShared(face: Face) async throws {
        try await face.withDirectory { provider, directory in
            let found = try await provider.sharees(matching: "oth", for: directory)
            #expect(found.map(\.id) == ["other"] && found.first?.displayName == "Other")
            #expect(try await provider.sharees(matching: "other", for: directory).map(\.id) == ["other"])
            #expect(try await provider.sharees(matching: "every", for: directory).map(\.kind) == [.group])

            let receiver = try #require(found.first)
            let share = try await provider.createShare(
                of: directory, ShareDraft(receiver: receiver, permissions: [.read, .update]))
            #expect(share.receiver.id == "other" && share.permissions == [.read, .update] && share.url == nil)
            let theirs = try face.provider(at: face.base, as: Face.other)
            let mounted = try #require(try await theirs.sharesWithMe().first { $0.id == share.id })
            #expect(mounted.owner?.id == "tester")
            #expect(mounted.path.lastComponent == directory.lastComponent)
            await #expect(throws: WebDAVError.self, "twice") {
                try await provider.createShare(of: directory, ShareDraft(receiver: receiver))
            }
        }
    }

    @Test(arguments: Face.allCases)
    func anUnknownReceiverIsRefusedInTheServersWords(face: Face) async throws {
        try await face.withDirectory { provider, directory in
            let nobody = Sharee(kind: .user, id: "nobody-here")
            let error = await #expect(throws: WebDAVError.self) {
                try await provider.createShare(of: directory, ShareDraft(receiver: nobody))
            }
            #expect(error?.statusCode == 404)
            let words = face == .openCloud ? "user not found" : "Please specify a valid user"
            #expect(error?.serverDescription == words)
        }
    }

    @Test func aLinkThatNeedsAPasswordSaysSo() async throws {
        let provider = try Face.openCloud.provider(at: Face.openCloud.base, as: Face.other)
        let path = try ItemPath(validating: "/link-\(UInt64.random(in: 0 ... .max))")
        try await provider.put("x", at: path)
        let error = await #expect(throws: WebDAVError.self) { try await provider.publicLink(to: path) }
        #expect(error?.serverDescription == "missing required password")
        let weak = ShareDraft(receiver: Sharee(kind: .link), permissions: .read, password: "short")
        let rules = await #expect(throws: WebDAVError.self) { try await provider.createShare(of: path, weak) }
        #expect(rules?.serverDescription == "at least 8 characters are required")
        #expect(rules.map { "\($0)" }?.contains("short") == false, "the password shows")
        try await provider.removeItem(path: path)
    }

    @Test(arguments: Face.allCases)
    func oneLinkServesAllWhoAsk(face: Face) async throws {
        try await face.withDirectory { provider, directory in
            let first = try await provider.publicLink(to: directory)
            #expect(try await provider.publicLink(to: directory) == first && first.file?.isDirectory == true)
            #expect(try await provider.shares(of: directory).count == 1)
        }
    }
}
