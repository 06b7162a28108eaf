import FileProviding
import Foundation
import Glibc

/// Contents that have been copied into the vault and do not belong to an item yet.
struct NewContents: Sendable {
    let copy: LocalCopy
    let size: Int64
    let modificationTime: FileTime

    /// Copies a whole stream into a vault: complete and on the medium, or not at all. The vault holds the copy until it
    /// is told to release it.
    ///
    /// - Parameter isNew: whether they are a new item's. It gets the time of the local file that they come from; a
    ///   change is always later than what it changes.
    init(_ stream: ByteStream, named name: ItemName, isNew: Bool, into vault: Vault) async throws {
        let file = try vault.incomingFile()
        do {
            size = try await Self.write(stream, to: file)
            copy = LocalCopy(of: name)
            let source = isNew ? try stream.localFile?.file.version().modificationTime : nil
            modificationTime = source ?? vault.clock()
            try vault.take(file, as: copy)
        } catch {
            try? PrivateFile.remove(file)
            throw error
        }
    }

    private static func write(_ stream: ByteStream, to file: LocalPath) async throws -> Int64 {
        let descriptor = file.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
        guard descriptor >= 0 else { throw posixError(file, errno, writing: true) }
        let handle = LocalFileHandle(owning: descriptor)
        var size: Int64 = 0
        for try await chunk in stream {
            try handle.write(chunk, at: size)
            size += Int64(chunk.count)
        }
        if let length = stream.length, length != size {
            throw FileError.wrongLength("stream", expected: length, got: size)
        }
        return size
    }
}
