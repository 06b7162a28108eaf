import Foundation

/// One watched directory: what was seen last, what is to be listed, and what was found but not yet reported.
actor Poll {
    /// How changes are found.
    private enum Method {
        /// Following directories' tags; the value is the watched directory's last one.
        case tags(Substring)
        /// Everything in one listing.
        case wholeTree
        /// Directory by directory.
        case directories
    }

    private let provider: any FileProviderBasic
    private let root: ItemPath
    private let isRecursive: Bool
    private let listingsPerLook: Int
    private var method: Method
    private var seen: TreeSnapshot
    /// The directories to list, the next one last. What a failed poll leaves is done by the next one.
    private var due: [ItemPath] = []
    /// Directories that were refused: when following tags, nothing would tell when they become readable.
    private var refused: [ItemPath] = []
    /// The changes to report, the next one last.
    private var untold: [FileChange] = []
    /// Whether the watched directory is gone.
    private var isGone = false

    /// Lists everything for the first time, as far as it is readable.
    ///
    /// - Throws: what listing the directory throws.
    init(
        of provider: any FileProviderBasic, path: ItemPath, isRecursive: Bool, listingsPerLook: Int?
    ) async throws {
        self.provider = provider
        root = path.asDirectory
        self.isRecursive = isRecursive
        self.listingsPerLook = max(1, listingsPerLook ?? .max)
        let characteristics = try await provider.characteristics(path: path)
        // The tag is read before the listing: a change in between changes the tag again.
        method = characteristics.listsTreesAtOnce && isRecursive ? .wholeTree : .directories
        if characteristics.propagatesDirectoryETags, isRecursive {
            let directory = try await provider.attributesOfItem(path: path.asItem)
            guard directory.isDirectory else { throw FileError.notADirectory(path) }
            if let tag = directory.etag { method = .tags(tag.opaque) }
        }
        seen = TreeSnapshot(root, entries: [], isRecursive: isRecursive)
        // What is there from the beginning is not a change.
        var found = FoundChanges()
        if case .wholeTree = method {
            try await listTree(&found)
        } else {
            due = [root]
            try await listDue(atMost: .max, &found)
        }
    }

    /// Whether nothing will ever be found again.
    var hasEnded: Bool { isGone && untold.isEmpty }

    /// Returns a change that was found and not yet reported.
    func nextChange() -> FileChange? { untold.popLast() }

    /// Polls once.
    ///
    /// - Throws: a refused credential, an untrusted server, `CancellationError`. Other failures leave the rest for
    ///   later.
    func look() async throws {
        var found = FoundChanges()
        do {
            switch method {
            case .tags(let tag): try await followTags(from: tag, &found)
            case .wholeTree: try await listTree(&found)
            case .directories:
                if due.isEmpty { due = seen.directories.sorted(by: >) }
                try await listDue(atMost: listingsPerLook, &found)
            }
        } catch let error where error.isNoSuchFile || error.isNotADirectory {
            isGone = true
            found.removed(FileObject(path: root, type: .directory))
        } catch let error where error.isWorthAnotherLook {
            provider.context.logger.debug(
                "cannot look for changes now", metadata: ["path": "\(root)", "error": "\(error.localizedDescription)"])
        }
        untold.insert(contentsOf: found.changes().reversed(), at: 0)
    }

    private func followTags(from former: Substring, _ found: inout FoundChanges) async throws {
        let tag = try await provider.attributesOfItem(path: root).etag?.opaque
        due.append(contentsOf: refused)
        refused = []
        if tag != former, due.last != root { due.append(root) }
        try await listDue(atMost: .max, &found)
        if let tag { method = .tags(tag) }
    }

    private func listTree(_ found: inout FoundChanges) async throws {
        let now = TreeSnapshot(
            root, entries: try await provider.recursiveListing(path: root).collect(), isRecursive: true)
        for directory in now.directories.sorted() {
            seen.replace(directory, by: now.entries(of: directory), isRecursive: true, &found)
        }
    }

    /// Lists directories that are due, including those found while doing so.
    private func listDue(atMost limit: Int, _ found: inout FoundChanges) async throws {
        var listed = 0
        while listed < limit, let directory = due.last {
            defer { listed += 1 }
            if seen.contains(directory) { try await list(directory, &found) }
            // Only now: a failure leaves it due.
            due.removeLast()
            due.append(contentsOf: found.takeDirectories(alongTags: isFollowingTags))
        }
    }

    private var isFollowingTags: Bool { if case .tags = method { true } else { false } }

    private func list(_ directory: ItemPath, _ found: inout FoundChanges) async throws {
        do {
            let entries = try await provider.listing(path: directory).collect()
            seen.replace(directory, by: entries, isRecursive: isRecursive, &found)
        } catch let error where directory != root && error.isAboutOneItem {
            // A gateway may answer for the whole storage.
            if let status = error.httpStatus, HTTPStatus.isGatewayFault(status) {
                guard (try? await provider.attributesOfItem(path: root)) != nil else { throw error }
            }
            // It is either gone, which its parent will show, or closed to us, for now or for good.
            if isFollowingTags, !error.isNoSuchFile, !error.isNotADirectory { refused.append(directory) }
        }
    }
}

extension Error {
    /// Whether the storage answered, and refused one item: others may be readable.
    fileprivate var isAboutOneItem: Bool {
        !isCancellation && (self is CocoaError || (self is any FileProviderHTTPError && httpStatus != 429))
    }

    /// Whether what failed may succeed later without intervention.
    fileprivate var isWorthAnotherLook: Bool {
        guard !isCancellation else { return false }
        guard let transport = self as? URLError else { return true }
        return !transport.code.isCertificateProblem
            && ![.userAuthenticationRequired, .clientCertificateRejected].contains(transport.code)
    }
}
