import FileProviding
import Foundation

/// Reads the missing parts of a file into an open local one: in one stream, or in several ranges at once if one stream
/// is slow.
struct RangedRead: Sendable {
    let source: SourceStream
    let item: FileObject
    let file: LocalFileHandle
    let keeper: PartKeeper
    let progress: OperationProgress
    /// Whether a server refused one of several streams of a file; from then on each file is read in one.
    let refusesStreams: Locked<Bool>

    /// The number of bytes whose speed decides whether one stream is enough.
    private static let probe: Int64 = 8 << 20
    /// The size below which a file is read in one stream.
    private static let worthDividing: Int64 = 64 << 20
    /// The number of concurrent streams. Each reads one part of the file in one request, since requests are expensive
    /// for many servers.
    private static let streams: Int64 = 4
    /// The number of bytes per second, once it is running, above which one stream uses all of the connection.
    private static let fastEnough = Double(32 << 20)

    /// Reads what has not arrived yet.
    func run() async throws {
        let size = item.size ?? 0
        progress.raise(to: keeper.received.count)
        let missing = size - keeper.received.count
        guard missing >= Self.worthDividing, item.etag != nil || item.modificationTime != nil else {
            return try await readGaps(size)
        }
        let characteristics = try await source.source.provider.characteristics(path: source.source.path)
        guard characteristics.supportsRangeReads, !characteristics.dividesReads else { return try await readGaps(size) }
        if !refusesStreams.withLock({ $0 }), try await probe(size) < Self.fastEnough {
            do { try await readInParts(size) } catch  where error.isRefusalOfStreams && !Task.isCancelled {
                // Many servers limit the number of connections, and refuse the others.
                refusesStreams.withLock { $0 = true }
            }
        }
        try await readGaps(size)
    }

    private func readGaps(_ size: Int64) async throws {
        let isNew = keeper.received.count == 0
        for gap in keeper.received.missing(of: size) {
            try await read(gap, as: isNew ? .all : .range(gap))
        }
        guard keeper.received.count == size else {
            throw FileError.wrongLength(source.source.path, expected: size, got: keeper.received.count)
        }
    }

    /// Reads the first missing bytes; returns how many arrived per second, from the first of them on.
    private func probe(_ size: Int64) async throws -> Double {
        guard let gap = keeper.received.missing(of: size).first else { return .infinity }
        let range = gap.prefix(Self.probe)
        let first = Locked<(time: ContinuousClock.Instant, count: Int64)?>(nil)
        try await read(range, as: .range(range)) { count in
            first.withLock { $0 = $0 ?? (.now, count) }
        }
        guard let first = first.withLock({ $0 }), Int64(range.count) > first.count else { return .infinity }
        return Double(Int64(range.count) - first.count) / ((ContinuousClock.now - first.time) / .seconds(1))
    }

    /// Reads the largest gap in several streams.
    private func readInParts(_ size: Int64) async throws {
        guard let gap = keeper.received.missing(of: size).max(by: { $0.count < $1.count }) else { return }
        try await keeper.divide()
        let length = (Int64(gap.count) + Self.streams - 1) / Self.streams
        try await withThrowingTaskGroup(of: Void.self) { group in
            for part in gap.divided(by: length) { group.addTask { try await read(part, as: .range(part)) } }
            // The first failure stops the others.
            for try await _ in group {}
        }
    }

    private func read(
        _ range: Range<Int64>, as request: ByteRange, onCount: @escaping @Sendable (Int64) -> Void = { _ in }
    ) async throws {
        let context = context { count in
            onCount(count)
            progress.raise(to: keeper.insert(range.lowerBound..<min(range.upperBound, range.lowerBound + count)))
        }
        let head = try await source.source.provider.read(
            path: source.source.path, range: request, into: file, at: range.lowerBound, in: context)
        guard head.length.map({ $0 == Int64(range.count) }) ?? true else {
            throw FileError.wrongLength(source.source.path, expected: Int64(range.count), got: head.length ?? 0)
        }
        _ = keeper.insert(range)
    }

    private func context(_ count: @escaping @Sendable (Int64) -> Void) -> OperationContext {
        let reading = OperationProgress { count($0.completed) }
        return OperationContext(options: source.reading, progress: reading)
    }
}

extension Error {
    /// Whether a server, or a gateway before it, may have refused one of several streams, and not the file.
    fileprivate var isRefusalOfStreams: Bool {
        httpStatus.map { [403, 429, 500, 502, 503, 504, 509].contains($0) } ?? false
    }
}

extension Range<Int64> {
    fileprivate func prefix(_ count: Int64) -> Range {
        lowerBound..<Swift.min(upperBound, lowerBound + count)
    }

    fileprivate func divided(by length: Int64) -> [Range] {
        stride(from: lowerBound, to: upperBound, by: Int(length)).map { $0..<Swift.min($0 + length, upperBound) }
    }
}
