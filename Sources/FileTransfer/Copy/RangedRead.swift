import FileProviding
import Foundation

/// Reads a file into an open local one: what is missing, in one stream, or in several ranges at once where one is slow.
struct RangedRead: Sendable {
    let source: SourceStream
    let item: FileObject
    let file: LocalFileHandle
    let keeper: PartKeeper
    let progress: OperationProgress

    /// The bytes from whose time it is judged whether one stream is enough.
    private static let probe: Int64 = 8 << 20
    /// Files that are smaller are read in one stream.
    private static let worthDividing: Int64 = 64 << 20
    /// One of several ranges: what a crash can cost of each.
    private static let piece: Int64 = 2 << 20
    private static let streams = 4
    /// A stream that carries more each second fills the way by itself.
    private static let fastEnough = Double(96 << 20)

    /// The whole file, whatever its length; returns that.
    func whole() async throws -> Int64 {
        let context = context { progress.raise(to: $0) }
        let head = try await source.source.provider.read(
            path: source.source.path, range: .all, into: file, at: 0, in: context)
        return try head.length ?? file.size()
    }

    /// What has not arrived yet.
    func run() async throws {
        let size = item.size ?? 0
        progress.raise(to: keeper.received.count)
        let missing = size - keeper.received.count
        guard missing >= Self.worthDividing, item.etag != nil || item.modificationTime != nil,
            try await source.source.provider.characteristics(path: source.source.path).supportsRangeReads
        else { return try await readGaps(size) }
        let rate = try await probe(size)
        if rate < Self.fastEnough { try await readInPieces(size) }
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

    /// Reads the first missing bytes; returns how many came each second.
    private func probe(_ size: Int64) async throws -> Double {
        guard let gap = keeper.received.missing(of: size).first else { return .infinity }
        let range = gap.prefix(Self.probe)
        let start = ContinuousClock.now
        try await read(range, as: .range(range))
        return Double(range.count) / ((ContinuousClock.now - start) / .seconds(1))
    }

    private func readInPieces(_ size: Int64) async throws {
        let pieces = Locked(keeper.received.missing(of: size).flatMap { $0.divided(by: Self.piece) }[...])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.streams {
                group.addTask {
                    while let piece = pieces.withLock({ $0.popFirst() }) {
                        try Task.checkCancellation()
                        try await read(piece, as: .range(piece))
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func read(_ range: Range<Int64>, as request: ByteRange) async throws {
        let context = context { count in
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
        return OperationContext(options: source.readingContext.options, progress: reading)
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
