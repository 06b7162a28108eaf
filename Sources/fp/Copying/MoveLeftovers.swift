import FileProviders
import Foundation

/// What a move between storages still has to remove once the copying is done: files that were at the target already, links,
/// and the folders that are empty then.
final class MoveLeftovers {
    private let source: Endpoint
    private let target: Endpoint
    private var unchanged: [TransferReceipt] = []
    private var links: [ItemPath] = []
    private var hasFailures = false
    private var unfit = 0

    init(source: Endpoint, target: Endpoint) {
        self.source = source
        self.target = target
    }

    /// Remembers what a receipt leaves behind.
    func note(_ receipt: TransferReceipt) {
        if receipt.outcome == .failed { hasFailures = true }
        if receipt.isUnfit { unfit += 1 }
        if receipt.outcome == .unchanged { unchanged.append(receipt) }
        // A copied link has no assurance, because it has no bytes.
        if receipt.outcome == .copied, receipt.assurance == nil { links.append(receipt.source) }
    }

    /// Removes it, each file only after it was verified.
    ///
    /// - Throws: also when something stays that is nothing for the target.
    func remove() async throws {
        for receipt in unchanged where try await isVerified(receipt) {
            try await source.provider.removeItem(path: receipt.source)
        }
        for link in links {
            do { try await source.provider.removeItem(path: link) } catch let error where error.isNoSuchFile {}
        }
        // A folder that could not be made at the target is only here.
        if !hasFailures { try await removeFolders() }
        guard unfit == 0 else {
            throw Refusal(
                source.location.description, "\(unfit == 1 ? "1 item stays" : "\(unfit) items stay") there",
                isAboutAccess: false)
        }
    }

    /// Equal sizes and times are enough to skip a copy, but not to remove the source of what others may have put there,
    /// however little was asked for.
    private func isVerified(_ receipt: TransferReceipt) async throws -> Bool {
        if try await source.provider.attributesOfItem(path: receipt.source).isSymLink { return true }
        let theirs = try await Checksum.of(target.provider.read(path: receipt.target).bytes, .sha256)
        let mine = try await Checksum.of(source.provider.read(path: receipt.source).bytes, .sha256)
        guard mine == theirs else {
            throw Refusal(
                ShownName.escaped(target.name(of: receipt.target)), "it differs from the source, which stays",
                remedy: "--overwrite replaces it", isAboutAccess: false)
        }
        return true
    }

    /// Removes the source's folder with its subfolders, as far as nothing is left in them.
    private func removeFolders() async throws {
        do {
            guard try await source.provider.attributesOfItem(path: source.path).isDirectory else { return }
            try await removeIfEmpty(source.path)
        } catch let error where error.isNoSuchFile {}
    }

    /// Looks into each folder just before it goes: what has come into it meanwhile is nowhere else.
    private func removeIfEmpty(_ folder: ItemPath) async throws {
        for item in try await source.provider.contentsOfDirectory(path: folder) where item.isDirectory {
            try await removeIfEmpty(item.path)
        }
        guard try await source.provider.contentsOfDirectory(path: folder).isEmpty else { return }
        try await source.provider.removeItem(path: folder)
    }
}
