import FileProviding

/// Makes sure of a copied file, as surely as was asked for and the ends allow.
struct Verifier {
    let job: FileJob
    /// The copy's path: the target's, or that of a temporary name beside it.
    let path: ItemPath
    let options: TransferOptions

    /// - Parameters:
    ///   - written: what the destination said of the file when it was written; `nil` where it said nothing.
    ///   - hasher: the source's hash, computed while it passed.
    /// - Throws: `CocoaError(.fileWriteUnknown)` when the copy is not the source; it has been removed then.
    func assure(_ written: FileObject?, hasher: StreamHasher?) async throws -> Assurance {
        guard !job.item.isDirectory else { return .unverified("copied by the storage itself") }
        switch options.verification {
        case .none: return .unverified("not asked for")
        case .readback: return try await compareByReading(written)
        case .hash:
            guard let hasher else { return try await compareByReading(written) }
            let (algorithm, mine) = (hasher.algorithm, hasher.checksum)
            let known = job.item.checksums.first { $0.algorithm == algorithm }
            try await require(known == nil || known == mine, written, "its \(algorithm.rawValue) changed on the way")
            let theirs = try await destinationHash(written, algorithm)
            try await require(theirs == mine, written, "its \(algorithm.rawValue) differs")
            return .hash(algorithm)
        case .automatic:
            if !job.item.checksums.isEmpty, try await isEvidence() {
                for checksum in job.item.checksums {
                    guard let theirs = written?.checksums.first(where: { $0.algorithm == checksum.algorithm }) else {
                        continue
                    }
                    try await require(theirs == checksum, written, "its \(checksum.algorithm.rawValue) differs")
                    return .hash(checksum.algorithm)
                }
            }
            guard let written else { return .unverified("copied by the storage itself") }
            return try await compareSizes(written)
        case .size: return try await compareSizes(job.target.provider.attributesOfItem(path: path), written)
        }
    }

    /// - Parameter copy: as the destination tells it now, or told it in its reply to so many bytes.
    private func compareSizes(_ copy: FileObject, _ written: FileObject? = nil) async throws -> Assurance {
        guard let expected = job.item.size else { return .unverified("the source does not tell its size") }
        guard let size = copy.size else { return .unverified("the destination does not tell its size") }
        try await require(size == expected, written ?? copy, "it has \(size) bytes instead of \(expected)")
        return .size
    }

    /// What the destination says of the copy; where it cannot say, the copy is read. The source is not.
    private func destinationHash(_ written: FileObject?, _ algorithm: Checksum.Algorithm) async throws -> Checksum {
        if try await isEvidence() {
            if let known = written?.checksums.first(where: { $0.algorithm == algorithm }) { return known }
            if let provider = job.target.provider as? any ChecksumProvider,
                let known = try await provider.checksum(path: path, algorithm: algorithm)
            {
                return known
            }
        }
        return try await Checksum.of(job.target.provider.read(path: path).bytes, algorithm)
    }

    /// Whether the destination's hashes say how the bytes arrived.
    private func isEvidence() async throws -> Bool {
        try await job.target.provider.characteristics(path: job.target.path).computesChecksums
    }

    private func compareByReading(_ written: FileObject?) async throws -> Assurance {
        try await require(isSame(), written, "it reads back differently")
        return .readback
    }

    /// Whether both ends have the same bytes, by reading both. Removes nothing.
    func isSame() async throws -> Bool {
        let theirs = try await Checksum.of(job.target.provider.read(path: path).bytes, .sha256)
        return try await theirs == Checksum.of(job.source.provider.read(path: job.source.path).bytes, .sha256)
    }

    /// Removes what was written when it is wrong. The source is still there, and so is an old file, unless it was replaced
    /// without a hash or reading back having been asked for.
    private func require(_ isRight: Bool, _ written: FileObject?, _ reason: String) async throws {
        guard !isRight else { return }
        let isOurs = try await isOurs(written)
        if isOurs { try await job.target.provider.removeItem(path: path) }
        throw cocoaError(
            job.target.path, code: .fileWriteUnknown,
            reason: "the copy is not the source: \(reason); it \(isOurs ? "was removed" : "is not ours any more")")
    }

    /// Whether what is there is still what was written.
    private func isOurs(_ written: FileObject?) async throws -> Bool {
        guard let tag = written?.etag, !tag.isWeak else { return true }
        do {
            guard let present = try await job.target.provider.attributesOfItem(path: path).etag else { return true }
            return present.isWeak || present == tag
        } catch  where error.isNoSuchFile {
            return false
        }
    }
}
