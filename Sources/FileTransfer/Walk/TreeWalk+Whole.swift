import FileProviding

/// Directories that the storage copies in one operation.
extension TreeWalk {
    /// The largest tree to copy in one operation on this machine. An interrupted copy starts over, so it must take only
    /// moments.
    private static let mostAtOnce = TreeExtent(items: 1 << 15, bytes: 256 << 20)
    /// Where such a copy stops: the sizes that were looked at may not be those of most files.
    static let mostBytesAtOnce: Int64 = 1 << 30

    /// Asks the storage to copy a directory in one operation, if the options allow that and the copy would not take
    /// long. If it fails, the directory is copied file by file.
    ///
    /// - Returns: whether it was copied.
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
                source: job.source.at(pair.source.asItem),
                target: job.target.at(pair.target.asItem), item: item),
            tools)
        do {
            var receipt = try await copy.run {}
            receipt.wholeDirectoryFiles = extent?.files
            await tools.ledger.found(inside: receipt)
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
            && options.bytesPerSecond == nil && options.filesPerSecond == nil && options.concurrency == nil
            && options.keepsPermissions && !options.reportsEachFile && !options.removesSources
            && job.source.path(at: job.target) != nil
    }

    /// Measures a local directory. Returns `nil` if copying it would take longer than moments, or if it holds items
    /// that are skipped with a notice.
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
