import CloudCore
import FileProviding

extension ConnectionOperation {
    /// Returns the same operation for a provider whose directory `root` is the vault's root.
    func below(_ root: ItemPath) -> ConnectionOperation {
        switch self {
        case .createFolder(let path, let createsParents, let mustBeNew):
            return .createFolder(root.appending(path), createsParents: createsParents, mustBeNew: mustBeNew)
        case .upload(var upload):
            upload.path = root.appending(upload.path)
            return .upload(upload)
        case .download(let path, let file, let journal):
            return .download(root.appending(path), to: file, journal: journal)
        case .move(let item, let path, let createsParents):
            return .move(item.below(root), to: root.appending(path), createsParents: createsParents)
        case .copy(let item, let path, let createsParents):
            return .copy(item.below(root), to: root.appending(path), createsParents: createsParents)
        case .update(let item, let attributes): return .update(item.below(root), attributes)
        case .delete(let item): return .delete(item.below(root))
        }
    }
}

extension ConnectionOperation.KnownItem {
    fileprivate func below(_ root: ItemPath) -> Self {
        var item = self
        item.path = root.appending(path)
        return item
    }
}
