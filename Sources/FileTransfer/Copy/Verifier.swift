import FileProviding

/// Verifies a copied file, as thoroughly as was requested and the ends allow.
struct Verifier {
    let job: FileJob
    /// The copy's path: the target's, or that of a temporary name next to it.
    let path: ItemPath
    let options: TransferOptions

    /// Verifies the copy.
    ///
    /// - Parameters:
    ///   - written: what the destination reported about the file when it was written; `nil` if it reported nothing.
    ///   - hasher: the source's hash, computed as its bytes passed.
    ///   - length: how many bytes a source had that did not tell its size, if they passed.
    /// - Throws: `CocoaError(.fileWriteUnknown)` when the copy differs from the source; it has then been removed.
    func assure(_ written: FileObject?, hasher: StreamHasher?, length: Int64? = nil) async throws -> Assurance {
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
            guard known == nil, job.source.provider.isUnprotected else { return .hash(algorithm) }
            guard options.removesSources else { return .arrival(algorithm) }
            // Only what arrived was hashed, and once the source is gone nobody can tell whether that was the source.
            let again = try await Checksum.of(job.source.provider.read(path: job.source.path).bytes, algorithm)
            try await require(again == mine, written, "it is not what the source reads as now")
            return .readback
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
            // Before a source is removed, the destination is asked; its reply to the write may repeat what it was sent.
            if options.removesSources { fallthrough }
            guard let written else { return .unverified("copied by the storage itself") }
            return try await compareSizes(written, length: length)
        case .size:
            let present = try await job.target.provider.attributesOfItem(path: path)
            return try await compareSizes(present, written, length: length)
        }
    }

    /// - Parameter copy: the attributes that the destination reports now, or reported in its reply to the write.
    private func compareSizes(
        _ copy: FileObject, _ written: FileObject? = nil, length: Int64?
    ) async throws -> Assurance {
        guard let expected = job.item.size ?? length else { return .unverified("the source does not tell its size") }
        guard let size = copy.size else { return .unverified("the destination does not tell its size") }
        try await require(size == expected, written ?? copy, "it has \(size) bytes instead of \(expected)")
        return .size
    }

    /// Returns the destination's hash of the copy; if it reports none, the copy is read. The source is not.
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

    /// Returns whether the destination's hashes prove how the bytes arrived.
    private func isEvidence() async throws -> Bool {
        try await job.target.provider.characteristics(path: job.target.path).computesChecksums
    }

    private func compareByReading(_ written: FileObject?) async throws -> Assurance {
        try await require(isSame(), written, "it reads back differently")
        return .readback
    }

    /// Returns whether both ends have the same bytes, by reading both, or are links with the same target. Removes
    /// nothing.
    func isSame() async throws -> Bool {
        if job.item.isSymLink, let source = job.source.provider as? any FileProviderSymbolicLink,
            let target = job.target.provider as? any FileProviderSymbolicLink
        {
            let mine = try await source.destination(ofSymbolicLink: job.source.path)
            return try await target.destination(ofSymbolicLink: path) == mine
        }
        let theirs = try await Checksum.of(job.target.provider.read(path: path).bytes, .sha256)
        return try await theirs == Checksum.of(job.source.provider.read(path: job.source.path).bytes, .sha256)
    }

    /// Removes what was written when it is wrong. The source still exists, and so does an old file, unless it was
    /// replaced without hashing or reading back having been requested.
    private func require(_ isRight: Bool, _ written: FileObject?, _ reason: String) async throws {
        guard !isRight else { return }
        let isOurs = try await isOurs(written)
        if isOurs { try await job.target.provider.step(.remove(path)) }
        throw cocoaError(
            job.target.path, code: .fileWriteUnknown,
            reason: "the copy is not the source: \(reason); it "
                + (isOurs ? "was removed" : "was left, since it may be another one's"))
    }

    /// Returns whether the item at the path is still what was written. Where no tag tells, the name may, or the size
    /// and time of what was written: another client may have put its own file there meanwhile.
    private func isOurs(_ written: FileObject?) async throws -> Bool {
        let isCertain = path.lastComponent.map(TemporaryName.isOurs) ?? false
        do {
            let present = try await job.target.provider.attributesOfItem(path: path)
            if let tag = written?.etag, let now = present.etag, !tag.isWeak, !now.isWeak { return tag == now }
            guard !isCertain, let written else { return isCertain }
            let times = [written.modificationTime?.seconds, present.modificationTime?.seconds]
            return written.size == present.size && (times.contains(nil) || times[0] == times[1])
        } catch  where error.isNoSuchFile {
            return false
        }
    }
}

extension FileProviderBasic {
    /// Whether bytes may be altered on their way from it without anybody noticing: HTTP without TLS.
    fileprivate var isUnprotected: Bool { baseURL?.scheme?.lowercased() == "http" }
}
