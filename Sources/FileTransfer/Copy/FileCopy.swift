import Crypto
import FileProviding
import Foundation

/// Copies one file, link or whole directory the shortest way that both ends allow, and checks the result.
struct FileCopy: Sendable {
    let job: FileJob
    let options: TransferOptions
    let ledger: TransferLedger

    func run() async throws -> TransferReceipt {
        var receipt = TransferReceipt(source: job.source.path, target: job.target.path, outcome: .copied)
        guard !options.dryRun else {
            receipt.outcome = .planned
            receipt.bytes = job.item.size ?? 0
            return receipt
        }
        let progress = OperationProgress(total: job.item.size)
        ledger.began(job, progress)
        if job.item.isSymLink, options.symlinks == .copy {
            if let note = try await copyLink() {
                receipt.outcome = .skipped
                receipt.note = note
            }
            return receipt
        }
        let context = OperationContext(options: operationOptions, progress: progress)
        let hasher = wantsHash ? StreamHasher(try await destinationAlgorithm()) : nil
        let written = try await copy(context, hasher: hasher)
        receipt.bytes = max(progress.current.completed, job.item.isDirectory ? 0 : written?.size ?? 0)
        receipt.assurance = try await Verifier(job: job, options: options).assure(
            written, bytes: receipt.bytes, hasher: hasher)
        if options.removesSources { try await job.source.provider.removeItem(path: job.source.path) }
        return receipt
    }

    private var operationOptions: OperationOptions {
        var options = OperationOptions(overwrite: job.existing != nil, flush: self.options.flush)
        options.attributes = ItemAttributes(
            modificationTime: job.item.modificationTime, permissions: job.item.permissions,
            contentType: nil)
        return options
    }

    private var wantsHash: Bool { options.verification == .hash && !job.item.isDirectory }

    private func destinationAlgorithm() async throws -> Checksum.Algorithm {
        if let provider = job.target.provider as? any ChecksumProvider, let best = provider.checksumAlgorithms.first {
            return best
        }
        return try await job.target.provider.characteristics(path: job.target.path).freeChecksums.first ?? .sha256
    }

    /// `nil` when the link was made, else why it was left out.
    private func copyLink() async throws -> String? {
        guard let source = job.source.provider as? any FileProviderSymbolicLink,
            let target = job.target.provider as? any FileProviderSymbolicLink
        else { return "symbolic link: the destination has none" }
        let destination = try await source.destination(ofSymbolicLink: job.source.path)
        if job.existing != nil { try await target.removeItem(path: job.target.path) }
        try await target.create(symbolicLink: job.target.path, withDestination: destination)
        return nil
    }

    private func copy(_ context: OperationContext, hasher: StreamHasher?) async throws -> FileObject? {
        let (source, target) = (job.source, job.target)
        if let path = source.path(at: target.provider), hasher == nil {
            do {
                return try await target.provider.perform(.copy(source: path, destination: target.path), in: context)
            } catch  where error.isUnsupported && !job.item.isDirectory {}
        }
        if let local = source.provider as? any FileProviderLocalAccess, hasher == nil {
            let file = try await local.openLocalFile(path: source.path)
            let stream = ByteStream(ByteStream.LocalFileSlice(file: file, range: 0..<(try file.size())))
            return try await target.provider.write(path: target.path, from: stream, in: context)
        }
        if let partial = target.provider as? any FileProviderPartialWrite,
            target.provider is any FileProviderLocalAccess, hasher == nil
        {
            return try await download(to: partial, context)
        }
        return try await pipe(context, hasher: hasher)
    }

    /// Into an open file at the destination, on the source's own thread.
    private func download(
        to provider: any FileProviderPartialWrite, _ context: OperationContext
    ) async throws -> FileObject {
        let upload = try await provider.beginPartialWrite(
            path: job.target.path, length: job.item.size, resuming: nil, in: context)
        do {
            if let file = upload.localFile {
                let head = try await job.source.provider.read(
                    path: job.source.path, range: .all, into: file, at: 0, in: context)
                try await upload.acknowledge(upTo: head.length ?? file.size())
            } else {
                try await upload.append(stream(context, hasher: nil), in: context)
            }
            return try await upload.commit(in: context)
        } catch {
            try? await upload.abort()
            throw error
        }
    }

    private func pipe(_ context: OperationContext, hasher: StreamHasher?) async throws -> FileObject {
        try await job.target.provider.write(path: job.target.path, from: stream(context, hasher: hasher), in: context)
    }

    /// The source's bytes; opened anew when a failed write is repeated.
    private func stream(_ context: OperationContext, hasher: StreamHasher?) -> ByteStream {
        let source = job.source
        var reading = OperationContext(logger: context.logger)
        reading.options.expecting = job.item.size == nil ? nil : job.item.version
        return ByteStream(length: job.item.size) { [reading] in
            let contents = try await source.provider.read(path: source.path, range: .all, in: reading)
            hasher?.reset()
            let chunks = SharedIterator(contents)
            return {
                let chunk = try await chunks.next()
                if let chunk { hasher?.update(chunk) }
                return chunk
            }
        }
    }
}

/// An iterator behind a reference; one reader at a time, as `ByteStream.Next` says.
private final class SharedIterator: @unchecked Sendable {
    private var iterator: ByteStream.AsyncIterator

    init(_ contents: FileContents) { iterator = contents.makeAsyncIterator() }

    func next() async throws -> Data? { try await iterator.next() }
}
