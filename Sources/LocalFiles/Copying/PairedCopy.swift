import FileProviding
import Foundation
import Glibc

/// Copies a range through memory on two threads: one reads a piece while the other writes the one before. Together they
/// need three quarters of the time of `copy_file_range(2)`.
///
/// Pieces are written in order: what an interruption leaves has no gaps.
final class PairedCopy: @unchecked Sendable {  // The condition guards all variables.
    private static let pieceLength = 1 << 20

    private let source: LocalFileHandle
    private let destination: LocalFileHandle
    private let distance: Int64

    private let condition = NSCondition()
    /// Where the next piece begins, in the source.
    private var next: Int64
    /// Where the range ends: earlier, when the source is found to end there.
    private var end: Int64
    /// Everything before it is copied.
    private var copied: Int64
    private var failure: (any Error)?
    /// Whether the second thread is at it. It may begin late, or, where the system has no more threads, never.
    private var isHelped = false
    private var isOver = false

    /// A copy of a range of `source` that begins at `offset` in `destination`.
    init(_ range: Range<Int64>, of source: LocalFileHandle, to destination: LocalFileHandle, at offset: Int64) {
        self.source = source
        self.destination = destination
        distance = offset - range.lowerBound
        (next, end, copied) = (range.lowerBound, range.upperBound, range.lowerBound)
    }

    /// Copies on this thread and a second one until both have ended; returns how many bytes there were.
    ///
    /// - Parameter onCopied: told on this thread how many bytes more there are.
    func run(onCopied: (Int64) throws -> Void) throws -> Int64 {
        let start = copied
        var reported = start
        func report() throws {
            let copied = condition.withLock { self.copied }
            if copied > reported { try onCopied(copied - reported) }
            reported = copied
        }
        Thread.detachNewThread { self.help() }
        copyPieces {
            try report()
            try Task.checkCancellation()
        }
        condition.withLock {
            isOver = true
            while isHelped { condition.wait() }
        }
        try report()
        if let failure { throw failure }
        return reported - start
    }

    private func help() {
        let isWanted = condition.withLock {
            isHelped = !isOver
            return isHelped
        }
        guard isWanted else { return }
        copyPieces()
        condition.withLock {
            isHelped = false
            condition.broadcast()
        }
    }

    private func copyPieces(afterEach: () throws -> Void = {}) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceLength, alignment: 4096)
        defer { buffer.deallocate() }
        do {
            while let piece = takePiece() {
                try copy(piece, through: UnsafeMutableRawBufferPointer(rebasing: buffer[..<piece.count]))
                try afterEach()
            }
        } catch {
            condition.withLock {
                failure = failure ?? error
                condition.broadcast()
            }
        }
    }

    private func takePiece() -> Range<Int64>? {
        condition.withLock {
            guard failure == nil, next < end else { return nil }
            let piece = next..<min(next + Int64(Self.pieceLength), end)
            next = piece.upperBound
            return piece
        }
    }

    private func copy(_ piece: Range<Int64>, through buffer: UnsafeMutableRawBufferPointer) throws {
        let got = try source.fill(buffer, at: piece.lowerBound)
        guard waitForTurn(of: piece) else { return }
        try destination.writeAll(UnsafeRawBufferPointer(rebasing: buffer[..<got]), at: piece.lowerBound + distance)
        condition.withLock {
            copied = piece.lowerBound + Int64(got)
            if got < piece.count { end = copied }
            condition.broadcast()
        }
    }

    /// Waits until everything before a piece is written; `false` when that will not be.
    private func waitForTurn(of piece: Range<Int64>) -> Bool {
        condition.withLock {
            while failure == nil, copied < piece.lowerBound, piece.lowerBound < end { condition.wait() }
            return failure == nil && copied == piece.lowerBound
        }
    }
}
