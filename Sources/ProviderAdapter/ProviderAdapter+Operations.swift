import CloudCore
import FileProviding
import Foundation

extension ProviderAdapter {
    /// Carries out an operation with what the provider supports, and sends the outcome.
    ///
    /// Whether an earlier attempt whose reply was lost has already done it is determined by looking: by identifier,
    /// otherwise by checksum.
    public func perform(
        _ operation: ConnectionOperation, counting progress: OperationProgress, for target: EventTarget
    ) async {
        let (adapter, sent) = (asItIs, SentChanges())
        let root = adapter.root
        let target = EventTarget(target.address) { await target.send($0.outcome.relative(to: root)) }
        do {
            let result = try await SentChanges.$current.withValue(sent) {
                try await adapter.withRoot {
                    try await adapter.result(of: operation.below(root), progress, for: target)
                }
            }
            if let result { await target.send(.done(result)) }
        } catch {
            var failure = EventFailure(error)
            if failure.meaning == .unreachable, !sent.isEmpty { failure.meaning = .interrupted }
            await target.send(.failed(failure))
        }
    }

    /// Carries out an operation with paths of the provider. Returns `nil` when its outcome is sent in another way.
    private func result(
        of operation: ConnectionOperation, _ progress: OperationProgress, for target: EventTarget
    ) async throws -> Event.Result? {
        // If the root itself is missing, so is everything: the root is not created.
        if operation.createsParents { _ = try await presentRoot() }
        switch operation {
        case .createFolder(let path, let createsParents, let mustBeNew):
            if createsParents { try await createParents(of: path) }
            if mustBeNew, try await provider.itemExists(path: path) { throw FileError.exists(path) }
            try await operations(path).perform(.create(path), in: OperationContext())
            return await outcome(at: path)
        case .upload(let upload):
            let upload = try FileUpload(upload, to: provider, counting: progress, for: target.address)
            return try await send(upload, target)
        case .download(let path, let file, let journal):
            return try await FileDownload(path, from: provider, to: file, journal: journal, counting: progress).run()
        case .move(let item, let path, let createsParents):
            if createsParents { try await createParents(of: path) }
            return try await move(item, to: path)
        case .copy(let item, let path, let createsParents):
            if createsParents { try await createParents(of: path) }
            return try await copy(item, to: path)
        case .update(let item, let attributes):
            return try await update(item, attributes, isRepeated: target.address.attempt > 1)
        case .delete(let item):
            return try await delete(item)
        }
    }

    /// Sends a file. Looking up the result may be left to another task that is sending to the same directory.
    ///
    /// - Returns: `nil` when the outcome is sent in another way.
    private func send(_ upload: FileUpload, _ target: EventTarget) async throws -> Event.Result? {
        guard let directory = upload.path.parent else { throw FileError.isADirectory(upload.path, writing: true) }
        let start = upload.size < WrittenFiles.largest ? writtenFiles.begin(directory) : nil
        func end(with file: WrittenFiles.File?) async {
            let files = if let start { await writtenFiles.end(directory, since: start, with: file) } else { [file] }
            await look(at: files.compactMap { $0 }, in: directory)
        }
        do {
            switch try await upload.run() {
            case .known(let result):
                await end(with: nil)
                return result
            case .written(let written):
                await end(with: WrittenFiles.File(path: upload.path, written: written, target: target))
                return nil
            }
        } catch {
            await end(with: nil)
            throw error
        }
    }

    private func createParents(of path: ItemPath) async throws {
        guard let parent = path.parent, !parent.isRoot else { return }
        let options = OperationOptions(createsParents: true)
        try await operations(parent).perform(.create(parent), in: OperationContext(options: options))
    }

    private func move(_ item: ConnectionOperation.KnownItem, to path: ItemPath) async throws -> Event.Result {
        let isKnownVersion: Bool
        do {
            let present = try await provider.attributesOfItem(path: item.path)
            guard item.isSameItem(as: present) else { throw FileError.noSuchFile(item.path) }
            isKnownVersion = item.version.map { $0.matches(present) } ?? false
        } catch  where error.isNoSuchFile {
            guard let moved = try? await provider.attributesOfItem(path: path), item.hasArrived(as: moved) else {
                throw error
            }
            return Event.Result(item: ServerVersion(moved))
        }
        try await operations(path).perform(.move(source: item.path, destination: path), in: OperationContext())
        var result = await outcome(at: path)
        if !isKnownVersion { result.contents = nil }
        return result
    }

    private func copy(_ item: ConnectionOperation.KnownItem, to path: ItemPath) async throws -> Event.Result {
        let present = try await provider.attributesOfItem(path: item.path)
        guard item.isStill(present) else { throw FileError.noSuchFile(item.path) }
        do {
            try await operations(path).perform(.copy(source: item.path, destination: path), in: OperationContext())
        } catch  where error.isFileExists {
            guard item.type == .regular, try await isCopy(path, of: item.path) else { throw error }
        }
        return await outcome(at: path)
    }

    private func update(
        _ item: ConnectionOperation.KnownItem, _ attributes: ItemAttributes, isRepeated: Bool
    ) async throws -> Event.Result {
        guard let provider = provider as? any AttributeProvider else {
            throw FileError.unsupported(item.path, "attributes cannot be changed without the contents")
        }
        let present = try await provider.attributesOfItem(path: item.path)
        guard item.isSameItem(as: present) else { throw FileError.noSuchFile(item.path) }
        if let version = item.version, !version.matches(present) {
            // An earlier attempt whose reply was lost has changed the version too.
            guard isRepeated, present.size == version.size, present.carries(attributes) else {
                throw FileError.changed(item.path)
            }
        }
        let updated = try await provider.setAttributes(attributes, of: item.path)
        return Event.Result(
            item: ServerVersion(updated), contents: item.version != nil && updated.isRegularFile ? updated.version : nil
        )
    }

    private func delete(_ item: ConnectionOperation.KnownItem) async throws -> Event.Result {
        let present: FileObject
        do { present = try await provider.attributesOfItem(path: item.path) } catch  where error.isNoSuchFile {
            return try await gone(item)
        }
        // Another item with that name is not the one that was to be removed: that one is gone.
        guard item.isSameItem(as: present) else { return try await gone(item) }
        if let version = item.version, !version.matches(present) { throw FileError.changed(item.path) }
        if let contents = item.contents, present.isDirectory { try await confirm(contents, of: item.path) }
        // The server may process it only when another file has that name.
        let options = OperationOptions(expecting: present.isRegularFile ? present.version : nil)
        do {
            try await operations(item.path).perform(.remove(item.path), in: OperationContext(options: options))
        } catch  where error.isNoSuchFile {
            return try await gone(item)
        }
        return Event.Result()
    }

    /// Returns the result for an item to remove that is not at its path. It counts as gone if its directory is the
    /// known one or cannot be seen.
    ///
    /// - Throws: `.fileReadNoSuchFile` if the directory is missing or another one, since the item may have moved with
    ///   it.
    private func gone(_ item: ConnectionOperation.KnownItem) async throws -> Event.Result {
        guard let parent = item.path.parent, parent != root else {
            _ = try await presentRoot()
            return Event.Result(isFoundGone: true)
        }
        do {
            let present = try await provider.attributesOfItem(path: parent)
            if let known = item.parentID, let other = present.fileID, known != other {
                throw FileError.noSuchFile(item.path)
            }
        } catch  where error.httpStatus == 403 || (error as? CocoaError)?.code == .fileReadNoPermission {
            // Without permission, the directory's identity cannot be checked.
        }
        return Event.Result(isFoundGone: true)
    }

    /// Checks that a directory contains nothing unknown that others have put into it in the meantime.
    ///
    /// - Throws: "has changed" for the first such item.
    private func confirm(_ contents: ConnectionOperation.KnownContents, of directory: ItemPath) async throws {
        do {
            for try await page in provider.recursiveListing(path: directory.asDirectory) {
                for item in page where !TemporaryName.isOurs(item.itemName) {
                    guard let path = item.path.relative(to: directory), contents.holds(item, at: path) else {
                        throw FileError.changed(item.path.relative(to: root) ?? item.path)
                    }
                }
            }
        } catch  where error.isNoSuchFile {
            throw FileError.changed(directory)
        }
    }

    // MARK: Looking

    /// Returns the result of an operation that was done; if it cannot be read, a later listing will show it.
    private func outcome(at path: ItemPath) async -> Event.Result {
        guard let file = try? await provider.attributesOfItem(path: path) else { return Event.Result() }
        return Event.Result(item: ServerVersion(file), contents: file.isRegularFile ? file.version : nil)
    }

    private func isCopy(_ path: ItemPath, of other: ItemPath) async throws -> Bool {
        let comparison = ContentsComparison(provider)
        let (copy, original) = (
            try await provider.attributesOfItem(path: path), try await provider.attributesOfItem(path: other)
        )
        guard copy.isRegularFile, copy.size == original.size else { return false }
        return try await comparison.isSame(path, other)
    }

    private func operations(_ path: ItemPath) throws -> any FileProviderOperations {
        guard let provider = provider as? any FileProviderOperations else {
            throw FileError.unsupported(path, "this storage cannot be changed")
        }
        return provider
    }
}

extension ConnectionOperation {
    fileprivate var createsParents: Bool {
        switch self {
        case .createFolder(_, let createsParents, _), .move(_, _, let createsParents), .copy(_, _, let createsParents):
            createsParents
        case .upload(let upload): upload.createsParents
        case .download, .update, .delete: false
        }
    }
}

extension ConnectionOperation.KnownItem {
    /// Returns whether an item at the place that this one was to be moved to is this one, which is no longer at its
    /// former place.
    ///
    /// Without identifiers a directory is assumed to be it: if it were another one, its contents would show that, and
    /// nothing would be lost.
    fileprivate func hasArrived(as file: FileObject) -> Bool {
        guard let fileID, let other = file.fileID else {
            if type == .directory { return file.isDirectory }
            return type == file.type && version.map { $0.matches(file) } ?? false
        }
        return fileID == other
    }

    /// Returns whether the item at this path is the one to copy: by identifier if both have one; otherwise a file has
    /// to be in the known version. A directory's version changes with its contents and is not compared.
    fileprivate func isStill(_ file: FileObject) -> Bool {
        guard isSameItem(as: file) else { return false }
        if fileID != nil, file.fileID != nil { return true }
        return type != .regular || version.map { $0.matches(file) } ?? true
    }
}

extension FileObject {
    /// Returns whether the item already has these attributes; a storage may store times in whole seconds.
    fileprivate func carries(_ attributes: ItemAttributes) -> Bool {
        let hasTime = attributes.modificationTime.map { $0.seconds == modificationTime?.seconds } ?? true
        return hasTime && attributes.permissions.map { $0 == permissions } ?? true
    }
}

extension Event.Outcome {
    /// Returns the outcome with a failure about the item as the vault names it.
    fileprivate func relative(to root: ItemPath) -> Event.Outcome {
        if case .failed(let failure) = self { .failed(failure.relative(to: root)) } else { self }
    }
}
