import FileProviders
import Foundation

/// What a move between storages still has to remove once the copying is done: sources whose copies already existed at
/// the target, and the folders that are then empty.
final class MoveLeftovers {
    private let source: Endpoint
    private let target: Endpoint
    private var unchanged: [TransferReceipt] = []
    private var hasFailures = false
    private var unfit = 0
    private let probe = FolderProbe()

    init(source: Endpoint, target: Endpoint) {
        self.source = source
        self.target = target
    }

    /// Records what an item leaves behind.
    func note(_ receipt: TransferReceipt) {
        if receipt.outcome == .failed { hasFailures = true }
        if receipt.isUnfit { unfit += 1 }
        if receipt.outcome == .unchanged { unchanged.append(receipt) }
    }

    /// Removes it, each item only after it was verified.
    ///
    /// - Parameter ended: called for each item of which there was a copy already: as copied, or failed where it stays.
    /// - Throws: also when an item stays that cannot be copied to the target.
    func remove(ended: (TransferReceipt) throws -> Void) async throws {
        for receipt in unchanged {
            var receipt = receipt
            do {
                try await removeSource(of: receipt)
                receipt.outcome = .copied
            } catch let error where !error.isCancellation {
                hasFailures = true
                (receipt.outcome, receipt.error) = (.failed, error)
            }
            try ended(receipt)
        }
        // A folder that could not be created at the target exists only here.
        if !hasFailures { try await removeFolders() }
        try confirmNothingStays()
    }

    /// - Throws: when an item stays that cannot be copied to the target.
    func confirmNothingStays() throws {
        guard unfit == 0 else {
            throw Refusal(
                source.location.description, "\(Count.text(unfit, "item stays", "items stay")) there",
                isAboutAccess: false)
        }
    }

    /// Removes the source if the target is certainly the same. Equal sizes and times are enough to skip a copy, but not
    /// to remove the source of what others may have put there, however little verification was requested. Neither is
    /// the source removed if it has changed since it was read.
    private func removeSource(of receipt: TransferReceipt) async throws {
        let item: FileObject
        do { item = try await source.provider.attributesOfItem(path: receipt.source) } catch let error
            where error.isNoSuchFile
        { return }
        try await probe.requireApart(
            TransferEndpoint(source.provider, receipt.source), TransferEndpoint(target.provider, receipt.target))
        guard try await isSame(item, at: receipt.target) else {
            throw Refusal(
                ShownName.escaped(target.name(of: receipt.target)), "it differs from the source, which stays",
                remedy: "--overwrite replaces it", isAboutAccess: false)
        }
        if !item.isSymLink { try await flush(receipt.target) }
        do {
            guard item.isRegularFile else { return try await source.provider.remove(receipt.source, ifStill: item) }
            try await CopiedFile(item, at: source.provider, copy: receipt.target, at: target.provider).remove()
        } catch let error where error.isItemChanged {
            throw Refusal(
                ShownName.escaped(source.name(of: receipt.source)), "it has changed meanwhile, and stays",
                isAboutAccess: false)
        }
    }

    private func isSame(_ item: FileObject, at path: ItemPath) async throws -> Bool {
        if item.isSymLink {
            let theirs = try await target.provider.attributesOfItem(path: path)
            return item.linkTarget != nil && item.linkTarget == theirs.linkTarget
        }
        let theirs = try await Checksum.of(target.provider.read(path: path).bytes, .sha256)
        return try await theirs == Checksum.of(source.provider.read(path: item.path).bytes, .sha256)
    }

    /// Flushes a local file to the medium, which may not have been requested when it was written.
    private func flush(_ path: ItemPath) async throws {
        guard let local = target.provider as? any FileProviderLocalAccess else { return }
        try await local.openLocalFile(path: path).synchronize()
    }

    /// Removes the source's folder with its subfolders, as far as nothing is left in them.
    private func removeFolders() async throws {
        do {
            guard try await source.provider.attributesOfItem(path: source.path).isDirectory else { return }
            try await probe.requireApart(folders: source.transferEnd, target.transferEnd)
            guard let reason = try await removeIfEmpty(source.path), unfit == 0 else { return }
            throw Refusal(source.location.description, "it stays: \(reason)", isAboutAccess: false)
        } catch let error where error.isNoSuchFile {}
    }

    /// Removes a folder if it is certain to be empty: what was added to it in the meantime, or is not listed, exists
    /// nowhere else. Returns why it stays; `nil` if it does not.
    @discardableResult
    private func removeIfEmpty(_ folder: ItemPath) async throws -> String? {
        for item in try await source.provider.contentsOfDirectory(path: folder) where item.isDirectory {
            try await removeIfEmpty(item.path)
        }
        do { try await source.provider.removeIfEmpty(folder) } catch  where error.isNotEmpty {
            return "there is something in it that was not moved"
        } catch  where error.isUnsupported {
            return "there may be something in it that the server does not list"
        }
        return nil
    }
}
