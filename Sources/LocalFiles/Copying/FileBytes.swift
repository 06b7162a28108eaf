import CPlatform
import FileProviding
import Glibc

/// Copies bytes between open files in the fastest way that their file systems allow: sharing blocks, within the kernel,
/// or through memory. Holes stay holes.
struct FileBytes {
    let source: LocalFileHandle
    let destination: LocalFileHandle
    /// Whether the destination is discarded when the copy is interrupted: only then may it have gaps.
    var isTemporary = false
    /// Called after each piece with the number of its bytes.
    var onCopied: (Int64) throws -> Void = { _ in }

    /// The number of bytes that the kernel copies between two checks for cancellation.
    private static let piece: Int64 = 32 << 20
    /// The length from which starting a second thread pays off.
    private static let pairedLength: Int64 = 8 << 20

    /// Copies a whole file into an empty one.
    ///
    /// - Throws: a ``ReadFailure`` with `ESTALE` when the source became shorter in the meantime.
    func copyAll(_ status: Status) throws {
        if status.size == 0 {
            // Files of /proc and /sys have contents but no size.
            _ = try copyThroughMemory(0..<(.max), to: 0)
        } else if fp_clone(source.descriptor, destination.descriptor) == 0 {
            try onCopied(status.size)
        } else if try copy(0..<status.size, hasHoles: status.hasHoles, to: 0) < status.size {
            throw ReadFailure(cause: Errno(ESTALE))
        }
    }

    /// Copies a range; returns the number of bytes copied.
    ///
    /// - Parameter hasHoles: whether to look for holes in the source; existing bytes of the destination are
    ///   overwritten.
    func copy(_ range: Range<Int64>, hasHoles: Bool, to offset: Int64) throws -> Int64 {
        let isFresh = hasHoles ? try destination.status().size <= offset : false
        guard isFresh else { return try copyData(range, to: offset) }
        let distance = offset - range.lowerBound
        var position = range.lowerBound
        while let data = try nextData(in: position..<range.upperBound) {
            if data.lowerBound > position {
                try systemCall { ftruncate(destination.descriptor, off_t(data.lowerBound + distance)) }
                try onCopied(data.lowerBound - position)
            }
            let copied = try copyData(data, to: data.lowerBound + distance)
            position = data.lowerBound + copied
            if copied < data.count { return position - range.lowerBound }
        }
        let end = min(range.upperBound, try source.status().size)
        try systemCall { ftruncate(destination.descriptor, off_t(end + distance)) }
        try onCopied(max(0, end - position))
        return end - range.lowerBound
    }

    private func nextData(in range: Range<Int64>) throws(Errno) -> Range<Int64>? {
        guard !range.isEmpty else { return nil }
        let start = fp_next_data(source.descriptor, range.lowerBound)
        if start < 0, errno == ENXIO { return nil }
        // A file system that does not support holes answers EINVAL: everything is data.
        guard start >= 0 else { return range }
        let end = fp_next_hole(source.descriptor, start)
        // A hole that cannot be found is treated as none.
        let data = start..<(end < 0 ? max(start, range.upperBound) : max(start, end))
        return data.clamped(to: range).isEmpty ? nil : data.clamped(to: range)
    }

    private func copyData(_ range: Range<Int64>, to offset: Int64) throws -> Int64 {
        if isTemporary, range.count >= Self.pairedLength, fp_copies_plainly(destination.descriptor) {
            let copied = try PairedCopy(range, of: source, to: destination, at: offset).run()
            try onCopied(copied)
            return copied
        }
        let copied = try copyInKernel(range, to: offset)
        guard copied < range.count else { return copied }
        return try copied + copyThroughMemory(range.lowerBound + copied..<range.upperBound, to: offset + copied)
    }

    /// Copies as much as the kernel can copy by itself; whatever stops it shows up again when copying through memory.
    private func copyInKernel(_ range: Range<Int64>, to offset: Int64) throws -> Int64 {
        var done: Int64 = 0
        while done < range.count {
            if done > 0 { try Task.checkCancellation() }
            let count = Int(min(Int64(range.count) - done, Self.piece))
            let copied = fp_copy_range(
                source.descriptor, range.lowerBound + done, destination.descriptor, offset + done, count)
            if copied < 0, errno == EINTR { continue }
            if copied <= 0 { break }
            done += Int64(copied)
            try onCopied(Int64(copied))
        }
        return done
    }

    private func copyThroughMemory(_ range: Range<Int64>, to offset: Int64) throws -> Int64 {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { buffer.deallocate() }
        var done: Int64 = 0
        while done < range.count {
            if done > 0 { try Task.checkCancellation() }
            let count = min(buffer.count, Int(Int64(range.count) - done))
            let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
            let got = try source.fill(piece, at: range.lowerBound + done)
            if got == 0 { break }
            try destination.writeAll(UnsafeRawBufferPointer(rebasing: buffer[..<got]), at: offset + done)
            done += Int64(got)
            try onCopied(Int64(got))
        }
        return done
    }
}

extension LocalFileHandle {
    /// Reads into `buffer` from `offset`; returns the number of bytes read, fewer than requested only at the file's
    /// end.
    func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(ReadFailure) -> Int {
        var done = 0
        do throws(Errno) {
            while done < buffer.count {
                let got = try systemCall {
                    pread(descriptor, buffer.baseAddress! + done, buffer.count - done, off_t(offset) + off_t(done))
                }
                if got == 0 { break }
                done += got
            }
        } catch {
            throw ReadFailure(cause: error)
        }
        return done
    }
}

/// A failure on the reading side of a copy.
struct ReadFailure: Error {
    let cause: Errno
}
