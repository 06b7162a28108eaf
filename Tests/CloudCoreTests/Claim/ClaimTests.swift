import FileProviding
import Foundation
import Testing

@testable import CloudCore

@Suite struct ClaimTests {
    private let core = UUID()

    private func isValid(_ claim: Claim, at seconds: Int64 = 100, process: UInt64? = 7) -> Bool {
        claim.isValid(
            Claim.Circumstances(now: FileTime(seconds: seconds), cores: [core], startTime: { _ in process }))
    }

    @Test func `a claim holds as long as its reason`() {
        #expect(isValid(.explicit))
        #expect(isValid(.expiring(FileTime(seconds: 101))))
        #expect(!isValid(.expiring(FileTime(seconds: 100))))
        #expect(isValid(.process(id: 1, startTime: 7)))
        #expect(!isValid(.process(id: 1, startTime: 8)))
        #expect(!isValid(.process(id: 1, startTime: 7), process: nil))
        #expect(isValid(.coreLifetime(core)))
        #expect(!isValid(.coreLifetime(UUID())))
    }

    @Test func `groups hold as their members do, nested and inverted`() {
        let (yes, no) = (Claim.explicit, Claim.coreLifetime(UUID()))
        #expect(isValid(.all([yes, yes])))
        #expect(!isValid(.all([yes, no])))
        #expect(isValid(.any([no, yes])))
        #expect(!isValid(.any([no, no])))
        #expect(isValid(.all([])))
        #expect(!isValid(.any([])))
        #expect(isValid(.not(.all([yes, .any([no, .not(yes)])]))))
    }

    @Test func `a group that lacks what can never hold again is over`() {
        let circumstances = Claim.Circumstances(now: FileTime(seconds: 100), cores: [core], startTime: { _ in nil })
        let (past, inverted) = (Claim.expiring(FileTime(seconds: 50)), Claim.not(.coreLifetime(core)))
        #expect(Claim.all([past, inverted]).isOver(circumstances))
        #expect(!Claim.all([.explicit, inverted]).isOver(circumstances))
        #expect(!Claim.any([past, inverted]).isOver(circumstances))
        #expect(Claim.any([past, .all([past, inverted])]).isOver(circumstances))
    }

    @Test func `a claim is stored faithfully`() throws {
        let claim = Claim.all([
            .any([.explicit, .not(.expiring(FileTime(nanoseconds: 1_234_567_890_123_456_789)))]),
            .process(id: 42, startTime: .max), .coreLifetime(core), .all([]), .any([]),
        ])
        #expect(try ItemRow.value(ItemRow.encoded(claim)) == claim)
    }

    @Test func `this process lives, and one that does not exist does not`() {
        let circumstances = Claim.Circumstances(now: FileTime(seconds: 0), cores: [])
        #expect(Claim.thisProcess.isValid(circumstances))
        #expect(!Claim.process(id: .max, startTime: 1).isValid(circumstances))
    }

    @Test func `claims outlive the core but for those that end with it`() async throws {
        let server = try Server()
        try await server.write("/file")
        try await server.sync()
        let id = try await server.id("/file")
        let kept = try await server.core.claim(id, .explicit, lock: .read)
        _ = try await server.core.claim(id, server.core.coreLifetime, lock: .write)
        _ = try await server.core.claim(id, .expiring(FileTime(seconds: 0)), lock: .write)
        #expect(try await server.core.claims().count == 2)
        let again = try await server.reopened()
        #expect(try await again.core.claims() == [kept])
        #expect(try await again.core.vault.database.read { try $0.claims() } == [kept])
    }
}
