import FileProviding
import Foundation
import Glibc

/// Thumbnails, each in a file named after the item and the requested size.
extension Vault {
    private var thumbnails: LocalPath { folder.appending("thumbnails") }

    /// A thumbnail and the version of the file that it shows.
    private struct Kept: Codable {
        var version: FileVersion
        var mediaType: String
        var size: PixelSize?
        var data: Data
    }

    /// Returns the thumbnail of an item in this version, or `nil` if there is none.
    func thumbnail(of id: LocalID, within size: PixelSize?, version: FileVersion) throws -> Thumbnail? {
        guard let data = try PrivateFile.read(file(id, size)),
            // A thumbnail that cannot be read is treated as missing: it is fetched again.
            let kept = try? PropertyListDecoder().decode(Kept.self, from: data), kept.version == version
        else { return nil }
        noteUse(of: file(id, size))
        return Thumbnail(data: Array(kept.data), mediaType: kept.mediaType, size: kept.size)
    }

    /// Stores a thumbnail, replacing one of an earlier version.
    func keep(_ thumbnail: Thumbnail, of id: LocalID, within size: PixelSize?, version: FileVersion) throws {
        try PrivateFile.createFolder(thumbnails)
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        let kept = Kept(
            version: version, mediaType: thumbnail.mediaType, size: thumbnail.size, data: Data(thumbnail.data))
        try PrivateFile.replace(file(id, size), with: encoder.encode(kept))
    }

    /// Removes the thumbnails of items for which `isNeeded` returns `false`, and partly written files; then the least
    /// recently used, until at most `limit` bytes are left.
    func removeThumbnails(limit: Int64, except isNeeded: (LocalID) -> Bool) throws {
        var kept: [(file: LocalPath, size: Int64, usedAt: FileTime)] = []
        for name in try thumbnails.entryNames() {
            let number = name.text.split(separator: "-").first.flatMap { Int64($0) }
            let isWhole = !TemporaryName.isOurs(name)
            let file = thumbnails.appending(name.bytes)
            guard let status = Folder.status(of: file) else { continue }
            let time = FileTime(seconds: Int64(status.st_mtim.tv_sec), nanoseconds: Int64(status.st_mtim.tv_nsec))
            if let number, isWhole, isNeeded(LocalID(rawValue: number)) {
                kept.append((file, Int64(status.st_size), time))
            } else if isWhole || time < FileTime(Date()).later(bySeconds: -600) {
                // A part may be on its way.
                try PrivateFile.remove(file)
            }
        }
        var room = limit
        for (file, size, _) in kept.sorted(by: { $0.usedAt > $1.usedAt }) {
            room -= size
            if room < 0 { try PrivateFile.remove(file) }
        }
    }

    /// Sets the file's modification time to now, as its last use. If that fails, the thumbnail is removed earlier than
    /// necessary.
    private func noteUse(of file: LocalPath) { _ = file.withCString { utimensat(AT_FDCWD, $0, nil, 0) } }

    private func file(_ id: LocalID, _ size: PixelSize?) -> LocalPath {
        let suffix = size.map { "\($0.width)x\($0.height)" } ?? "any"
        return thumbnails.appending("\(id)-\(suffix)")
    }
}
