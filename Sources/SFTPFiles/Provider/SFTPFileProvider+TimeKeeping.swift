import FileProviding

extension SFTPFileProvider: TimeKeeping {
    /// Some servers refuse to set times, or ignore it: object stores behind SFTP, or OpenSSH's with `-P setstat`.
    package func keepsTimes(in directory: ItemPath, isLikely: Bool) async throws -> Bool {
        let tree = try await tree()
        let knowledge = tree.client.pool.knowledge
        if let known = knowledge.keepsTimes { return known }
        if isLikely, tree.client.traits.isSequential { return true }
        let path = directory.appending(TemporaryName.make())
        let file = try await StagedFile(tree, path, length: 0, OperationOptions())
        let result: Result<Void, any Error>
        do { result = .success(try await file.tryTime()) } catch { result = .failure(error) }
        await file.discard()
        try result.get()
        return knowledge.keepsTimes ?? true
    }
}
