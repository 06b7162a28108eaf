import FileProviders
import Foundation

extension Mutation {
    static let writings = [
        Mutation("writing without overwrite overwrites", .writing) {
            $0.write = { try await $0.write(path: $1, from: $2, in: $3.changed { $0.overwrite = true }) }
        },
        Mutation("writers look first and overwrite then", .writing) {
            $0.write = { base, path, source, context in
                if !context.options.overwrite, try await base.itemExists(path: path) { throw FileError.exists(path) }
                return try await base.write(path: path, from: source, in: context.changed { $0.overwrite = true })
            }
        },
        Mutation("what came before a source failed is kept", .writing) {
            $0.write = { base, path, source, context in
                let received = Box(Data())
                do {
                    for try await chunk in source { received.exchange(received.value + chunk) }
                } catch {
                    _ = try await base.write(path: path, from: ByteStream(received.value), in: context)
                    throw error
                }
                return try await base.write(path: path, from: ByteStream(received.value), in: context)
            }
        },
        Mutation("a source's length is not checked", .writing) {
            $0.write = { base, path, source, context in
                try await base.write(path: path, from: ByteStream(source.collect()), in: context)
            }
        },
        Mutation("an old file is removed before the new one comes", .writing) {
            $0.write = { base, path, source, context in
                if context.options.overwrite, try await base.itemExists(path: path) {
                    try await base.perform(.remove(path), in: OperationContext())
                }
                return try await base.write(path: path, from: source, in: context)
            }
        },
        Mutation("missing parents are created unasked", .writing) {
            $0.write = { try await $0.write(path: $1, from: $2, in: $3.changed { $0.createsParents = true }) }
        },
        Mutation("times are cut to whole seconds", .writing) {
            $0.write = { base, path, source, context in
                try await base.write(
                    path: path, from: source,
                    in: context.changed { options in
                        let time = options.attributes.modificationTime
                        options.attributes.modificationTime = time.map { FileTime(seconds: $0.seconds) }
                    })
            }
        },
        Mutation("writing returns the attributes of before", .writing) {
            $0.write = { base, path, source, context in
                let before = try? await base.attributesOfItem(path: path)
                let after = try await base.write(path: path, from: source, in: context)
                return before ?? after
            }
        },
        Mutation("an expected version is looked for only when a write begins", .writing) {
            $0.write = { base, path, source, context in
                if let expected = context.options.expecting {
                    let present = try await base.attributesOfItem(path: path)
                    guard expected.matches(present) else { throw FileError.changed(path) }
                }
                return try await base.write(path: path, from: source, in: context.changed { $0.expecting = nil })
            }
        },
        Mutation("a cancelled write is finished", .writing) {
            $0.write = { base, path, source, context in
                try await Task.detached { try await base.write(path: path, from: source, in: context) }.value
            }
        },
    ]

    static let operations = [
        Mutation("creating an existing directory is an error", .directories) {
            $0.perform = { base, operation, context in
                if case .create(let path) = operation, try await base.itemExists(path: path) {
                    throw FileError.exists(path)
                }
                return try await base.perform(operation, in: context)
            }
        },
        Mutation("removing nothing succeeds", .directories) {
            $0.perform = { base, operation, context in
                do { return try await base.perform(operation, in: context) } catch  where error.isNoSuchFile {
                    guard case .remove = operation else { throw error }
                    return nil
                }
            }
        },
        Mutation("the expected version is removed unseen", .directories) {
            $0.perform = { try await $0.perform($1, in: $2.changed { $0.expecting = nil }) }
        },
        Mutation("removing follows links", .links) {
            $0.perform = { base, operation, context in
                if case .remove(let path) = operation {
                    for file in try await base.recursiveListing(path: path).collect() where file.isSymLink {
                        for behind in (try? await base.contentsOfDirectory(path: file.path)) ?? [] {
                            _ = try? await base.perform(.remove(behind.path), in: context)
                        }
                    }
                }
                return try await base.perform(operation, in: context)
            }
        },
        Mutation("moving leaves the source", .copyAndMove) {
            $0.perform = { base, operation, context in
                guard case .move(let source, let destination) = operation else {
                    return try await base.perform(operation, in: context)
                }
                return try await base.perform(.copy(source: source, destination: destination), in: context)
            }
        },
        Mutation("copying with overwrite replaces directories", .copyAndMove) {
            $0.perform = { base, operation, context in
                if case .copy(let source, let destination) = operation, context.options.overwrite, source != destination
                {
                    _ = try? await base.perform(.remove(destination), in: OperationContext())
                }
                return try await base.perform(operation, in: context)
            }
        },
        Mutation("copying a directory takes its first level only", .copyAndMove) {
            $0.perform = { base, operation, context in
                let copied = try await base.perform(operation, in: context)
                if case .copy(_, let destination) = operation {
                    let entries = (try? await base.contentsOfDirectory(path: destination)) ?? []
                    for below in entries where below.isDirectory {
                        for file in try await base.contentsOfDirectory(path: below.path) {
                            try await base.perform(.remove(file.path), in: OperationContext())
                        }
                    }
                }
                return copied
            }
        },
    ]

    static let others = [
        Mutation("tags change by themselves", .attributes) {
            let count = Box(0)
            $0.attributes = { base, path in
                var file = try await base.attributesOfItem(path: path)
                file.etag = ETag(rawValue: "\"\(count.exchange(count.value + 1))\"")
                return file
            }
        },
        Mutation("attributes that are set are only told, not kept", .attributes) {
            $0.setAttributes = { base, attributes, path in
                var file = try await base.attributesOfItem(path: path)
                file.modificationTime = attributes.modificationTime ?? file.modificationTime
                return file
            }
        },
        Mutation("what is set follows a link", .attributes) {
            $0.setAttributes = { base, attributes, path in
                let target = try? await base.destination(ofSymbolicLink: path)
                let place =
                    target.flatMap { target in path.parent.map { try? $0.appending(target.description) } } ?? nil
                return try await base.setAttributes(attributes, of: place ?? path)
            }
        },
        Mutation("removals are not told", .monitor) {
            $0.changes = { base, path, recursive in
                let told = try await base.changes(path: path, recursive: recursive)
                let (changes, continuation) = FileChanges.makeStream()
                let task = Task {
                    for try await change in told {
                        if case .removed = change { continue }
                        continuation.yield(change)
                    }
                    continuation.finish()
                }
                continuation.onTermination = { _ in task.cancel() }
                return changes
            }
        },
        Mutation("an interrupted upload begins anew", .transfer) { $0.resume = { _ in nil } },
    ]
}
