import FileProviding
import Foundation

extension ContractTrial {
    /// Creates this many small files in a directory: directly on the disk if there is a local view.
    func arrangeMany(_ count: Int, in path: ItemPath, named prefix: String = "file") async throws {
        let names = (0..<count).map { "\(prefix) \($0)" }
        if let folder = localPath(of: path) {
            for name in names { try Self.createFile(folder.appending(name.utf8), size: 0) }
            return
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, name) in names.enumerated() {
                if index >= 8 { try await group.next() }
                group.addTask { try await self.arrange(file: path.appending(name), Data()) }
            }
            try await group.waitForAll()
        }
    }

    /// Creates the declared large file, all zeros except for a mark at its end; sparse on the disk if there is a local
    /// view.
    ///
    /// - Returns: the mark at its end.
    func arrangeLarge(_ path: ItemPath) async throws -> Data {
        let (size, mark) = (expectations.largeFile, Data("the end of a large file".utf8))
        if let file = localPath(of: path) {
            try Self.createFile(file, size: size, endingWith: mark)
            return mark
        }
        let zeros = Data(count: 1 << 20)
        let left = Locked(size - Int64(mark.count))
        let source = ByteStream(length: size, isReplayable: false) {
            let isMarked = Locked(false)
            return {
                let count = left.withLock { left in
                    defer { left -= min(left, Int64(zeros.count)) }
                    return Int(min(left, Int64(zeros.count)))
                }
                if count > 0 { return zeros.prefix(count) }
                return isMarked.withLock { done in
                    defer { done = true }
                    return done ? nil : mark
                }
            }
        }
        try await arrange(file: path, source)
        return mark
    }

    private static func createFile(_ path: LocalPath, size: Int64, endingWith mark: Data = Data()) throws {
        let descriptor = path.withCString { open($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644) }
        try expect(descriptor >= 0, "cannot create \(path): errno \(errno)")
        let file = LocalFileHandle(owning: descriptor)
        try expect(ftruncate(descriptor, off_t(size)) == 0, "cannot extend \(path): errno \(errno)")
        try file.write(mark, at: size - Int64(mark.count))
    }
}
