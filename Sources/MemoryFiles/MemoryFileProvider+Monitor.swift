import FileProviding
import Foundation

extension MemoryFileProvider: FileProviderMonitor, ChangeTokenProvider {
    /// Returns every change, in order, whoever made it.
    public func changes(path: ItemPath, recursive: Bool) async throws -> FileChanges {
        let directory = try store.read { tree in
            let node = try tree.findDirectory(path)
            return tree.path(of: node.id) ?? path
        }
        let id = UUID()
        let (changes, sink) = FileChangeSink.make(watching: directory) { [weak store] in store?.removeWatcher(id) }
        store.add(MemoryWatcher(directory: directory, isRecursive: recursive, sink: sink), as: id)
        return changes
    }

    /// Returns a token that changes with anything below the directory.
    public func changeToken(path: ItemPath) async throws -> ChangeToken {
        let node = try store.read { try $0.findDirectory(path) }
        return ChangeToken(value: "\(node.id)-\(node.version)", propagates: true)
    }
}
