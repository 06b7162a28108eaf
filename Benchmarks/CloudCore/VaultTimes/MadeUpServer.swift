import CloudCore
import FileProviding
import Foundation
import Synchronization

/// A server without a network: folders of files that are made up when they are listed, a thousand a page.
final class MadeUpServer: Connection {
    let folders: Int
    let files: Int
    /// How often each of the first files has been changed.
    let changes = Mutex(0)
    /// Whether nobody answers.
    let isAway = Mutex(false)

    init(folders: Int, files: Int) {
        self.folders = folders
        self.files = files
    }

    func traits() async throws -> ConnectionTraits { ConnectionTraits(propagatesDirectoryETags: true) }

    func attributes(of path: ItemPath) async throws -> FileObject {
        try check()
        var root = FileObject(path: .root, type: .directory)
        root.etag = ETag(rawValue: "\"\(changes.withLock { $0 })\"")
        return root
    }

    func listing(of path: ItemPath) -> DirectoryListing {
        DirectoryListing { [self] in
            let position = Mutex(0)
            return { [self] in
                try check()
                let count = path.isRoot ? folders : files
                let start = position.withLock { position in
                    defer { position += 1_000 }
                    return position
                }
                guard start < count else { return nil }
                return try (start..<min(start + 1_000, count)).map { try entry($0, in: path) }
            }
        }
    }

    func signals() async throws -> AsyncThrowingStream<ConnectionSignal, any Error>? { nil }

    private func entry(_ number: Int, in path: ItemPath) throws -> FileObject {
        let round = changes.withLock { $0 }
        if path.isRoot {
            var folder = FileObject(name: try ItemName(validating: "folder \(number)"), in: path, type: .directory)
            folder.etag = ETag(rawValue: "\"\(number)-\(round)\"")
            folder.fileID = "d\(number)"
            return folder
        }
        // Every hundredth file changes its size with each round, and so its place among files sorted by size.
        let isChanged = number % 100 == 0
        var file = FileObject(
            name: try ItemName(validating: "IMG_\(number) holiday.jpg"), in: path, type: .regular)
        file.size = Int64((number * 7919 + (isChanged ? round * 104_729 : 0)) % 1_000_003)
        file.modificationTime = FileTime(seconds: 1_700_000_000 + Int64(number))
        file.etag = ETag(rawValue: "\"\(number)-\(isChanged ? round : 0)\"")
        file.fileID = "\(path.lastComponent?.text ?? "")/\(number)"
        return file
    }

    private func check() throws { if isAway.withLock({ $0 }) { throw URLError(.cannotConnectToHost) } }
}
