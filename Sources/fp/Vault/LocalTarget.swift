import FileProviders
import Foundation

/// The local destination of a file from a vault.
struct LocalTarget {
    /// The path of the file to write.
    let path: LocalPath

    /// - Parameters:
    ///   - argument: the path that the user gave; an existing folder means a file inside it.
    ///   - name: the file's name if the destination is a folder.
    /// - Throws: ``Refusal`` if the path ends in a slash and is not an existing folder.
    init(_ argument: PathArgument, for name: ItemName) throws {
        let isFolder = Self.isFolder(argument.path)
        let slash = UInt8(ascii: "/")
        guard isFolder || argument.path.bytes.last != slash else {
            throw Refusal.missingFolder(of: ShownName.escaped(argument.path.bytes))
        }
        let bytes = argument.path.bytes
        path = isFolder ? LocalPath(bytes: bytes + (bytes.last == slash ? [] : [slash]) + name.bytes) : argument.path
    }

    /// Copies a file there, replacing an existing one.
    func write(_ copy: LocalPath) async throws {
        let (disk, contents) = (try LocalFileProvider(root: LocalPath("/")), try ByteStream(localFile: copy))
        _ = try await disk.write(path: itemPath(), from: contents, options: OperationOptions(overwrite: true))
    }

    private static func isFolder(_ path: LocalPath) -> Bool {
        var status = stat()
        return path.withCString { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private func itemPath() throws -> ItemPath {
        let isAbsolute = path.bytes.first == UInt8(ascii: "/")
        let folder = isAbsolute ? [] : try Environment.workingDirectory() + [UInt8(ascii: "/")]
        return try ItemPath(validatingBytes: folder + path.bytes)
    }
}
