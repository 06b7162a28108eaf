import FileProviders
import Foundation
import Testing

@testable import FileTransfer

/// What the journal says of a file that is being copied, when a run ends without a word.
@Suite("Parts of a file") struct PartKeeperTests {
    private let desk: Desk

    init() throws { desk = try Desk() }

    /// Several ranges were written at once when the first run was killed, and the last of them were not recorded: the
    /// file is longer than what arrived. Its size must not be taken for that by a third run.
    @Test("a file with holes is not continued by its size")
    func holes() async throws {
        let provider = desk.provider
        let (known, whole): (Int64, Int64) = (1 << 20, 64 << 20)
        let upload = try await provider.beginPartialWrite(
            path: "f", length: whole, resuming: nil, in: OperationContext(options: OperationOptions(overwrite: true)))
        let file = try #require(upload.localFile)
        for (offset, count) in [(0, Int(known)), (Int(whole / 2), 1)] {
            try file.write(Data(repeating: 1, count: count), at: Int64(offset))
        }
        let source = TransferEndpoint(provider, "source")
        _ = try desk.fill("source", 1)
        let plan = try await TransferPlan(
            from: [source], to: TransferEndpoint(provider, "f"), options: TransferOptions())
        let journal = try TransferJournal(JobIdentity(plan), in: nil)
        var received = ReceivedRanges()
        received.insert(0..<known)
        let part = JournalPart(target: "f", version: FileVersion())
        let keeper = PartKeeper(upload: upload, journal: journal, part: part, received: received, savesRanges: true)
        try await keeper.save(durably: true)
        let saved = try #require(journal.part(for: "f"))
        #expect(saved.isSequential == false)
        #expect(saved.received == received)
        try await upload.abort()
    }
}
