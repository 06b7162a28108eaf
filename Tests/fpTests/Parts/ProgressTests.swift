import FileProviders
import Testing

@testable import fp

@Suite struct ProgressTests {
    private static func status() -> TransferStatus {
        var status = TransferStatus()
        status.apply(.found(files: 7, bytes: 5000)) { $0.description }
        return status
    }

    private static func path(_ text: String) -> ItemPath { ItemPath(unchecked: Array(text.utf8)) }

    @Test(arguments: [10, 40, 80, 200])
    func fitsTheTerminal(width: Int) {
        var status = Self.status()
        let progress = OperationProgress(total: 4000)
        status.apply(.began(source: Self.path(String(repeating: "n", count: 120)), size: 4000, progress: progress)) {
            $0.description
        }
        let lines = ProgressLines(width: width, colored: false).lines(status, rate: 100)
        #expect(lines.count == 2)
        #expect(lines.allSatisfy { $0.count <= width })
        #expect(lines[0].contains("0%"))
    }

    /// The files of a folder that was copied in one operation count like others.
    @Test func wholeFolders() {
        var status = Self.status()
        var receipt = TransferReceipt(.copied, from: Self.path("d"), to: Self.path("e"))
        (receipt.isWholeDirectory, receipt.wholeDirectoryFiles, receipt.bytes) = (true, 40, 5000)
        status.apply(.found(files: 47, bytes: 10000)) { $0.description }
        status.apply(.ended(receipt)) { $0.description }
        #expect(status.endedFiles == 40 && status.bytes == 5000)
    }

    /// A folder that could not be copied in one operation is no longer shown when it has been created.
    @Test func wholeFoldersInPieces() {
        var status = Self.status()
        status.apply(.began(source: "d", size: nil, progress: OperationProgress())) { $0.description }
        #expect(status.active.count == 1)
        status.apply(.ended(TransferReceipt(.created, from: "d/", to: "e/"))) { $0.description }
        #expect(status.active.isEmpty && status.endedFiles == 0)
    }

    @Test func addsUpWhatIsUnderWayAndWhatIsDone() {
        var status = Self.status()
        let progress = OperationProgress(total: 2000)
        status.apply(.began(source: Self.path("a"), size: 2000, progress: progress)) { "name of \($0)" }
        progress.advance(by: 1000)
        #expect(status.bytes == 1000)
        let lines = ProgressLines(width: 80, colored: false).lines(status, rate: 1000)
        #expect(lines[0].hasPrefix(" 20% [====  "))
        #expect(lines[0].hasSuffix("]  1000B of 4.9K  1000B/s  0:04 left  0 of 7 files"), "\(lines[0])")
        #expect(lines[1] == " 50%  name of /a")
        var receipt = TransferReceipt(.copied, from: Self.path("a"), to: Self.path("b"))
        receipt.bytes = 2000
        status.apply(.ended(receipt)) { $0.description }
        #expect(status.bytes == 2000 && status.endedFiles == 1 && status.active.isEmpty)
        // A folder is none of the files.
        status.apply(.ended(TransferReceipt(.created, from: Self.path("d"), to: Self.path("d")))) {
            $0.description
        }
        #expect(status.endedFiles == 1)
    }

    @Test func colourIsForThoseWhoWantIt() {
        let plain = ProgressLines(width: 80, colored: false).lines(Self.status(), rate: nil)
        let colored = ProgressLines(width: 80, colored: true).lines(Self.status(), rate: nil)
        #expect(!plain[0].contains("\u{1B}") && colored[0].contains("\u{1B}[36m"))
        let bare = colored[0].replacing("\u{1B}[36m", with: "").replacing("\u{1B}[0m", with: "")
        #expect(bare == plain[0])
    }

    @Test func theRateIsThatOfTheLastSeconds() {
        var meter = RateMeter()
        let start = ContinuousClock.now
        meter.note(0, at: start)
        meter.note(100, at: start + .milliseconds(100))
        #expect(meter.rate == nil)
        for second in 1...20 { meter.note(Int64(second) * 1000, at: start + .seconds(second)) }
        #expect(abs((meter.rate ?? 0) - 1000) < 1)
        // What went by fast at first no longer counts.
        for second in 21...30 { meter.note(20_000 + Int64(second - 20) * 10, at: start + .seconds(second)) }
        #expect(abs((meter.rate ?? 0) - 10) < 1)
    }

    @Test(arguments: [(0.4, "0:01"), (61, "1:01"), (3725, "1:02:05")])
    func clock(seconds: Double, text: String) { #expect(ProgressLines.clock(seconds) == text) }
}
