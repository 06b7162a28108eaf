import FileProviding

extension LocalFileProvider: DirectoryAttributesCopying {
    package func copyAttributes(ofDirectory source: ItemPath, to target: ItemPath) async throws {
        try await LocalThreads.run {
            let original = try about(source) { try root.directoryToList(source) }
            try about(target, writing: true) {
                try TreeCopy(keepsOwner: true)
                    .finish(root.directoryToList(target), like: original, original.status())
            }
        }
    }
}
