import FileProviders
import Foundation
import Testing

@testable import FileTransfer

@Suite("Progress") struct TransferProgressTests {
    @Test("what needs no copy is done too")
    func unchanged() {
        let shown = Progress(totalUnitCount: -1)
        let progress = TransferProgress(shown)
        progress.note(.found(files: 2, bytes: 100))
        var receipt = TransferReceipt(.unchanged, from: "a", to: "a")
        receipt.size = 60
        progress.note(.ended(receipt))
        var report = TransferReport()
        report.isCutShort = true
        progress.finish(report)
        #expect(shown.completedUnitCount == 60 && shown.totalUnitCount == 100)
    }
}
