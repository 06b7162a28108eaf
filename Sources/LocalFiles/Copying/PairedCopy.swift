import FileProviding
import Foundation
import Glibc

/// Copies a range through memory on two threads. The writers of a file wait for each other in the kernel, but one thread
/// can read while the other writes: together they need three quarters of the time of `copy_file_range(2)`.
final class PairedCopy: Sendable {
    private struct State {
        /// Where the next piece begins, in the source.
        var next: Int64
        /// Where the range ends: earlier, when the source is found to end there.
        var end: Int64
        /// Everything before it is copied.
        var copied: Int64
        /// Pieces behind `copied` that are copied already, from their beginning to their end.
        var ahead: [Int64: Int64] = [:]
        var failure: (any Error)?
    }

    private static let pieceLength = 512 << 10

    private let source: LocalFileHandle
    private let destination: LocalFileHandle
    private let distance: Int64
    private let state: Locked<State>

    /// A copy of a range of `source` that begins at `offset` in `destination`.
    init(_ range: Range<Int64>, of source: LocalFileHandle, to destination: LocalFileHandle, at offset: Int64) {
        self.source = source
        self.destination = destination
        distance = offset - range.lowerBound
        state = Locked(State(next: range.lowerBound, end: range.upperBound, copied: range.lowerBound))
    }

    /// Copies on this thread and a second one until both have ended; returns how many bytes there were.
    ///
    /// - Parameter onCopied: told on this thread how many bytes more there are from the range's beginning on without a gap.
    func run(onCopied: (Int64) throws -> Void) throws -> Int64 {
        let start = state.withLock { $0.copied }
        var reported = start
        func report() throws {
            let copied = state.withLock { $0.copied }
            if copied > reported { try onCopied(copied - reported) }
            reported = copied
        }
        let helper = DispatchGroup()
        helper.enter()
        Thread.detachNewThread {
            self.copyPieces()
            helper.leave()
        }
        copyPieces {
            try Task.checkCancellation()
            try report()
        }
        helper.wait()
        if let failure = state.withLock({ $0.failure }) { throw failure }
        try report()
        return reported - start
    }

    private func copyPieces(afterEach: () throws -> Void = {}) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceLength, alignment: 4096)
        defer { buffer.deallocate() }
        do {
            while let piece = takePiece() {
                try copy(piece, through: buffer)
                try afterEach()
            }
        } catch {
            state.withLock { $0.failure = $0.failure ?? error }
        }
    }

    private func takePiece() -> Range<Int64>? {
        state.withLock { state in
            guard state.failure == nil, state.next < state.end else { return nil }
            let piece = state.next..<min(state.next + Int64(Self.pieceLength), state.end)
            state.next = piece.upperBound
            return piece
        }
    }

    private func copy(_ piece: Range<Int64>, through buffer: UnsafeMutableRawBufferPointer) throws {
        let got = try source.fill(UnsafeMutableRawBufferPointer(rebasing: buffer[..<piece.count]), at: piece.lowerBound)
        try destination.writeAll(UnsafeRawBufferPointer(rebasing: buffer[..<got]), at: piece.lowerBound + distance)
        state.withLock { state in
            let end = piece.lowerBound + Int64(got)
            if got < piece.count { state.end = min(state.end, end) }
            state.ahead[piece.lowerBound] = end
            while let end = state.ahead.removeValue(forKey: state.copied) { state.copied = end }
        }
    }
}
