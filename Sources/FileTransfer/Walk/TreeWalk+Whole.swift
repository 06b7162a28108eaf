import FileProviding

/// Directories that their storage copies itself, in one operation.
extension TreeWalk {
    /// What is copied in one operation on this machine. It begins anew when it is interrupted: no more than takes moments.
    private static let mostAtOnce = TreeExtent(items: 1 << 15, bytes: 256 << 20)

    /// Has the storage copy a directory in one operation, where that is possible and as good as one file after the other. Where it
    /// cannot do all of it, what it can is found out file by file.
    ///
    /// - Returns: whether that is done.
    func isCopiedWhole(_ pair: inout DirectoryPair, _ item: FileObject) async throws -> Bool {
        guard pair.existing == nil, !pair.isInPieces, mayCopyWhole else { return false }
        var extent: TreeExtent?
        if let source = job.source.provider as? any TreeMeasuring {
            extent = try await momentaryExtent(of: pair.source, source)
            if extent == nil { return false }
        }
        try tools.journal.begin()
        var copy = FileCopy(
            FileJob(
                source: TransferEndpoint(job.source.provider, pair.source.asItem),
                target: TransferEndpoint(job.target.provider, pair.target.asItem), item: item),
            tools)
        do {
            var receipt = try await copy.run {}
            receipt.wholeDirectoryFiles = extent?.files
            await tools.ledger.ended(receipt)
            return true
        } catch  where !error.endsTransfer {
            pair.isInPieces = true
            return false
        }
    }

    private var mayCopyWhole: Bool {
        options.filter.rules.isEmpty && options.symlinks == .copy && !options.dryRun
            && [.automatic, .none].contains(options.verification) && options.names == .refuse
            && options.bytesPerSecond == nil && !options.tellsOfEachFile && !options.removesSources
            && job.source.path(at: job.target.provider) != nil
    }

    /// Returns how much a directory of this machine holds, if that is so little that it is copied in moments, and nothing of a kind
    /// that is left out with a notice. A server is not asked: it continues on its own.
    private func momentaryExtent(of directory: ItemPath, _ source: any TreeMeasuring) async throws -> TreeExtent? {
        do {
            let extent = try await source.extent(ofTree: directory, upTo: Self.mostAtOnce)
            let isMomentary =
                !extent.holdsOthers && extent.items <= Self.mostAtOnce.items && extent.bytes <= Self.mostAtOnce.bytes
            return isMomentary ? extent : nil
        } catch  where !error.endsTransfer {
            return nil
        }
    }
}
