import FileProviding
import Glibc

extension LocalFileProvider: TreeMeasuring {
    package func extent(ofTree path: ItemPath, upTo most: TreeExtent) async throws -> TreeExtent {
        try await LocalThreads.run {
            var extent = TreeExtent()
            try about(path) { try Self.add(root.directoryToList(path), to: &extent, upTo: most) }
            return extent
        }
    }

    /// The number of files whose size is determined: for many small files, doing so for all would take a tenth of the
    /// time of copying them.
    private static let sample = 1_000

    private static func add(_ directory: Directory, to extent: inout TreeExtent, upTo most: TreeExtent) throws {
        try Task.checkCancellation()
        var below: [ItemName] = []
        let reader = DirectoryReader(directory)
        while let entry = try reader.next() {
            extent.items += 1
            if try directory.isDirectory(entry.name, knownAs: entry.type) {
                below.append(entry.name)
            } else {
                extent.files += 1
                switch Int(entry.type) {
                case Int(DT_LNK): break
                case Int(DT_REG) where extent.files > sample: break
                default:
                    let status = try directory.status(of: entry.name)
                    if status.isRegularFile { extent.bytes += status.size }
                    if status.type == .unknown { extent.holdsOthers = true }
                }
            }
            if TemporaryName.isOurs(entry.name) { extent.holdsOthers = true }
            if extent.holdsOthers || extent.items > most.items || extent.bytes > most.bytes { return }
        }
        for name in below {
            try add(directory.openDirectory(name), to: &extent, upTo: most)
            if extent.holdsOthers || extent.items > most.items || extent.bytes > most.bytes { return }
        }
    }
}
