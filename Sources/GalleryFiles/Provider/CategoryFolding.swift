import FileProviding

/// Derives directories from a flat list of images, page after page.
struct CategoryFolding {
    private let category: ItemPath
    private let isRecursive: Bool
    private var seen: Set<ItemPath> = []
    /// The directory of the previous image, whose categories have all been returned.
    private var latest: ItemPath?

    /// - Parameters:
    ///   - category: the directory that is listed.
    ///   - isRecursive: whether everything below it is listed, parents before their children.
    init(category: ItemPath, isRecursive: Bool) {
        self.category = category.asDirectory
        self.isRecursive = isRecursive
    }

    /// Whether no entry was returned yet.
    var isEmpty: Bool { seen.isEmpty }

    /// Returns the entries that these images stand for, without those returned before.
    ///
    /// An image that the server lists in the category, but that lies elsewhere, keeps its path.
    ///
    /// - Throws: "not a directory" when the list consists of the category's own image.
    mutating func fold(_ images: [FileObject]) throws -> [FileObject] {
        var entries: [FileObject] = []
        for image in images {
            let path = image.path
            guard path != category else { throw FileError.notADirectory(category) }
            let parent = path.parent ?? .root
            if parent != latest, parent.isInside(category) {
                for directory in directories(down: parent) where seen.insert(directory).inserted {
                    entries.append(FileObject(path: directory, type: .directory))
                }
                latest = parent
            }
            let isListed = isRecursive || parent == category || !parent.isInside(category)
            if isListed, seen.insert(path).inserted { entries.append(image) }
        }
        return entries
    }

    /// Returns the directories between the category and `directory`, outermost first; only the outermost unless
    /// recursive.
    private func directories(down directory: ItemPath) -> [ItemPath] {
        var chain: [ItemPath] = []
        var next = directory
        while next != category, let parent = next.parent {
            chain.append(next)
            next = parent
        }
        return isRecursive ? chain.reversed() : Array(chain.suffix(1))
    }
}
