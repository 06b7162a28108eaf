import FileProviding
import Foundation
import Testing

@testable import FileTransfer

@Suite struct WholeDirectoryTests {
    /// What events tell adds up, whether folders are copied in one operation or file by file.
    @Test func filesAreCounted() async throws {
        let desk = try Desk()
        for name in ["tree/a", "tree/d/b", "tree/d/c", "tree/e/f/g"] { try desk.fill(name, 100) }
        // A folder that is there already is copied in pieces.
        try FileManager.default.createDirectory(
            at: desk.folder.appendingPathComponent("there"), withIntermediateDirectories: false)
        let plan = try await TransferPlan(
            from: [TransferEndpoint(desk.provider, "tree/")], to: TransferEndpoint(desk.provider, "there/"),
            options: impatient())
        var (found, files, bytes, begun) = (0, 0, 0 as Int64, 0)
        let report = try await Transfer(plan).run { event in
            switch event {
            case .found(let count, _): found = max(found, count)
            case .began: begun += 1
            case .ended(let receipt) where receipt.outcome == .copied:
                files += receipt.isWholeDirectory ? receipt.wholeDirectoryFiles ?? 0 : 1
                bytes += receipt.bytes
                begun -= 1
            case .ended: break
            }
        }
        #expect(report.isComplete && report.wholeDirectories > 0)
        #expect(files == 4 && found == files && bytes == 400 && begun == 0)
    }
}
