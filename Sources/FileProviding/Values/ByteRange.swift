import Foundation

/// The bytes of a file to read. Ranges past the end are clipped to it; one that begins at or past the end is empty.
public enum ByteRange: Hashable, Sendable {
    /// The whole file.
    case all
    /// From this offset to the end.
    case from(Int64)
    /// From the lower bound up to, not including, the upper bound.
    case range(Range<Int64>)
    /// The given number of bytes at the end, or the whole file when it is shorter.
    case last(Int64)

    /// Creates a range of the given number of bytes from an offset; without a length, to the end.
    ///
    /// - Throws: as ``validate(path:)`` for a negative offset or length.
    init(offset: Int64, length: Int64?, path: ItemPath) throws {
        try ByteRange.from(min(offset, length ?? offset)).validate(path: path)
        let (end, overflow) = offset.addingReportingOverflow(length ?? .max)
        self = length == nil ? (offset == 0 ? .all : .from(offset)) : .range(offset..<(overflow ? .max : end))
    }

    /// The bytes of a file of `size` that are meant; none of a file whose size is negative. Negative offsets and counts
    /// count as zero.
    public func resolved(size: Int64) -> Range<Int64> {
        let size = max(0, size)
        return switch self {
        case .all: 0..<size
        case .from(let offset): min(max(0, offset), size)..<size
        case .range(let range): range.clamped(to: 0..<size)
        case .last(let count): size - min(max(0, count), size)..<size
        }
    }

    /// Checks that no offset or count is negative.
    ///
    /// - Throws: `CocoaError(.fileReadUnknown)` with POSIX `EINVAL` underlying for a negative offset or count.
    public func validate(path: ItemPath) throws {
        let isValid =
            switch self {
            case .all: true
            case .from(let offset): offset >= 0
            case .range(let range): range.lowerBound >= 0
            case .last(let count): count >= 0
            }
        guard isValid else {
            throw cocoaError(
                path, code: .fileReadUnknown, reason: "a byte range cannot be negative", underlying: POSIXError(.EINVAL)
            )
        }
    }
}
