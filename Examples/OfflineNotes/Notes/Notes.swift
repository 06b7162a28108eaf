import CloudCore
import FileProviding
import Foundation

/// Notes in a folder on any server, one text file each, which can be read and written even without the server.
public final class Notes: Sendable {
    /// The core that stores the notes, and sends them to the server.
    public let core: Core
    private let list = Query(.location("/"), where: .name.like("*.txt", .caseInsensitive))

    /// Creates the notes on the server of `connection`, stored in `folder` from one run of the program to the next.
    public init(at url: URL, over connection: any Connection, keptIn folder: LocalPath) throws {
        let vault = try Vault(of: Self.bookmark(of: url, in: folder), in: folder)
        core = Core(vault: vault, connection: connection)
    }

    /// Returns the bookmark of an earlier run, or a new one: its identifier finds the vault again.
    private static func bookmark(of url: URL, in folder: LocalPath) throws -> Bookmark {
        let folder = URL(filePath: folder.description)
        let file = folder.appending(path: "bookmark.json")
        if let data = try? Data(contentsOf: file) { return try JSONDecoder().decode(Bookmark.self, from: data) }
        let bookmark = try Bookmark(name: "Notes", url: url)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try JSONEncoder().encode(bookmark).write(to: file, options: .atomic)
        return bookmark
    }

    /// Calls `show` with all notes now, and again whenever one has changed, locally or on the server, until the task is
    /// cancelled.
    public func follow(_ show: @Sendable ([Item]) -> Void) async {
        core.start(list)
        var notes: [Item] = []
        for await news in list where news.hasChanges {
            list.changes().apply(to: &notes)
            show(notes)
        }
    }

    /// Sends and fetches everything whenever the server can be reached, until the task is cancelled.
    public func run() async { await core.run(every: .seconds(2)) }

    /// Writes a new or existing note. It is stored when this returns, and sent when the server can be reached.
    public func write(_ text: String, as title: String) async throws {
        let contents = ByteStream(Data(text.utf8))
        if let note = try await core.item(at: path(title)) {
            _ = try await core.submit(.modify(note.localID, contents))
        } else {
            _ = try await core.submit(.upload(contents, as: name(title), in: .root))
        }
    }

    /// Removes a note.
    public func remove(_ title: String) async throws { _ = try await core.submit(.delete(note(title).localID)) }

    /// Returns a note's text: the local copy, or what the server has.
    public func read(_ title: String) async throws -> String {
        let note = try await note(title)
        if try await core.localCopy(of: note.localID) == nil { try await core.download(note.localID) }
        guard let copy = try await core.localCopy(of: note.localID) else { throw FileError.noSuchFile(title) }
        return try String(contentsOfFile: copy.description, encoding: .utf8)
    }

    private func note(_ title: String) async throws -> Item {
        guard let note = try await core.item(at: path(title)) else { throw FileError.noSuchFile(title) }
        return note
    }

    private func name(_ title: String) throws -> ItemName { try ItemName(validating: title + ".txt") }
    private func path(_ title: String) throws -> ItemPath { try ItemPath.root.appending(name(title)) }
}
