import CloudCore
import FileProviding

extension ProviderAdapter {
    /// Does it with what the provider can do, and sends the outcome.
    ///
    /// What was done already by an attempt whose reply was lost is found out by looking: by identifier, else by checksum.
    public func perform(
        _ operation: ConnectionOperation, counting progress: OperationProgress, for target: EventTarget
    ) async {
        do {
            let placed = ProviderAdapter(provider)
            await target.send(.done(try await placed.result(of: operation.below(root), progress)))
        } catch {
            await target.send(.failed(EventFailure(error)))
        }
    }

    private func result(
        of operation: ConnectionOperation, _ progress: OperationProgress
    ) async throws -> Event.Result {
        switch operation {
        case .createFolder(let path):
            try await operations(path).perform(.create(path), in: OperationContext())
            return try await present(path)
        case .upload(let upload):
            return try await FileUpload(upload, to: provider, counting: progress).run()
        case .download(let path, let file, let journal):
            return try await FileDownload(path, from: provider, to: file, journal: journal, counting: progress).run()
        case .move(let item, let path):
            return try await move(item, to: path)
        case .copy(let item, let path):
            return try await copy(item, to: path)
        case .delete(let item):
            return try await delete(item)
        }
    }

    private func move(_ item: ConnectionOperation.KnownItem, to path: ItemPath) async throws -> Event.Result {
        let isKnownVersion: Bool
        do {
            let present = try await attributes(of: item.path)
            guard item.isSameItem(as: present) else { throw FileError.noSuchFile(item.path) }
            isKnownVersion = item.version.map { $0.matches(present) } ?? false
        } catch  where error.isNoSuchFile {
            guard let moved = try? await attributes(of: path), item.isKnown(as: moved) else { throw error }
            return Event.Result(item: ServerVersion(moved))
        }
        try await operations(path).perform(.move(source: item.path, destination: path), in: OperationContext())
        let moved = try await attributes(of: path)
        return Event.Result(
            item: ServerVersion(moved), contents: moved.isRegularFile && isKnownVersion ? moved.version : nil)
    }

    private func copy(_ item: ConnectionOperation.KnownItem, to path: ItemPath) async throws -> Event.Result {
        do {
            try await operations(path).perform(.copy(source: item.path, destination: path), in: OperationContext())
        } catch  where error.isFileExists {
            guard item.type == .regular, try await isCopy(path, of: item.path) else { throw error }
        }
        return try await present(path)
    }

    private func delete(_ item: ConnectionOperation.KnownItem) async throws -> Event.Result {
        do {
            let present = try await attributes(of: item.path)
            // Another item by that name is not what was to be removed: that one is gone.
            guard item.isSameItem(as: present) else { return Event.Result() }
            if let version = item.version, !version.matches(present) { throw FileError.changed(item.path) }
            try await operations(item.path).perform(.remove(item.path), in: OperationContext())
        } catch  where error.isNoSuchFile {}
        return Event.Result()
    }

    // MARK: Looking

    private func present(_ path: ItemPath) async throws -> Event.Result {
        let file = try await attributes(of: path)
        return Event.Result(item: ServerVersion(file), contents: file.isDirectory ? nil : file.version)
    }

    private func isCopy(_ path: ItemPath, of other: ItemPath) async throws -> Bool {
        let comparison = ContentsComparison(provider)
        let (copy, original) = (try await attributes(of: path), try await attributes(of: other))
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

extension ConnectionOperation.KnownItem {
    /// Whether an item elsewhere is surely this one, moved.
    fileprivate func isKnown(as file: FileObject) -> Bool {
        guard let fileID, let other = file.fileID else {
            return type == .regular && file.isRegularFile && version.map { $0.matches(file) } ?? false
        }
        return fileID == other
    }
}
