import FileProviders

extension Mutation {
    /// Makes every name on its way to the storage another one.
    mutating func renamePaths(_ rename: @escaping @Sendable (String) -> String) {
        let renamed: @Sendable (ItemPath) -> ItemPath = { path in
            let names = path.components.map { name in (try? ItemName(validating: rename(name.text))) ?? name }
            return names.reduce(ItemPath.root) { $0.appending($1) }
        }
        attributes = { try await $0.attributesOfItem(path: renamed($1)) }
        listing = { $0.listing(path: renamed($1)) }
        read = { try await $0.read(path: renamed($1), range: $2, in: $3) }
        write = { try await $0.write(path: renamed($1), from: $2, in: $3) }
        perform = { base, operation, context in
            let other: FileOperationType =
                switch operation {
                case .create(let path): .create(renamed(path))
                case .remove(let path): .remove(renamed(path))
                case .copy(let source, let target): .copy(source: renamed(source), destination: renamed(target))
                case .move(let source, let target): .move(source: renamed(source), destination: renamed(target))
                case .link(let path, let target): .link(renamed(path), target: target)
                case .modify, .fetch, .upload, .download: operation
                }
            return try await base.perform(other, in: context)
        }
    }
}

extension ItemPath {
    /// The same path, not said to name a directory.
    var withoutSlash: ItemPath { components.reduce(.root) { $0.appending($1) } }
}

extension OperationContext {
    func changed(_ change: (inout OperationOptions) -> Void) -> OperationContext {
        var context = self
        change(&context.options)
        return context
    }
}

/// A value that closures share.
final class Box<Value: Sendable>: Sendable {
    private let locked: Locked<Value>

    init(_ value: Value) { locked = Locked(value) }

    var value: Value { locked.withLock { $0 } }

    @discardableResult
    func exchange(_ value: Value) -> Value {
        locked.withLock { old in
            defer { old = value }
            return old
        }
    }
}
