import FileProviding
import Foundation
import Glibc

/// The folder with the journals of transfers that are not finished.
///
/// There is one file for each transfer, readable by its owner only (0600), since it can hold upload addresses that are
/// secrets. A journal is found by what the transfer is about, so running the same plan again continues it, and it is
/// deleted when the transfer has nothing more to do.
public struct TransferJournals: Sendable {
    /// The path of the folder.
    public let folder: LocalPath
    /// Whatever the caller wants to read again in ``unfinished()``, such as the command that began the transfer. No
    /// secrets.
    public var note: [String: String]

    /// A transfer that has not finished.
    public struct Unfinished: Sendable {
        /// The journal's name.
        public let id: String
        /// When the transfer was begun.
        public let begun: FileTime
        /// The caller's note.
        public let note: [String: String]
        /// Whether a process is running the transfer now.
        public let isRunning: Bool
    }

    struct Header: Codable {
        var begun: FileTime
        var note: [String: String]
        /// ``JobIdentity/number``
        var number: UInt64?
    }

    private static let suffix = ".journal"

    /// Creates the journals of a folder, which is created (0700) with the first journal.
    public init(folder: LocalPath, note: [String: String] = [:]) {
        self.folder = folder
        self.note = note
    }

    /// Creates the folder if it does not exist.
    ///
    /// - Throws: the reason why no journal can be kept there. A transfer without journals cannot be continued.
    public func prepare() throws {
        try PrivateFile.createFolder(folder)
        try PrivateFile.tryWriting(into: folder)
    }

    /// Returns the transfers that have not finished, oldest first.
    public func unfinished() throws -> [Unfinished] {
        try names().compactMap { name in
            let id = String(name.dropLast(Self.suffix.count))
            guard let text = try? firstLine(of: path(id)), text.first == JournalHistory.Kind.header,
                let header = try? JSONDecoder().decode(Header.self, from: text.dropFirst())
            else { return nil }
            return Unfinished(id: id, begun: header.begun, note: header.note, isRunning: isHeld(id))
        }.sorted { $0.begun < $1.begun }
    }

    /// Whether no transfer is recorded.
    public var isEmpty: Bool {
        (try? names().isEmpty) ?? true
    }

    /// Returns the names of the journals: none if the folder does not exist.
    private func names() throws -> [String] {
        try folder.entryNames().map(\.text).filter { $0.hasSuffix(Self.suffix) }
    }

    /// Returns whether an earlier run of this plan has not finished.
    public func isUnfinished(_ plan: TransferPlan) throws -> Bool {
        try isThere(JobIdentity(plan).name)
    }

    /// Removes a transfer's journal. What the transfer left at its destination stays there; see
    /// ``Transfer/discard(_:at:in:)``.
    public func forget(_ id: String) throws {
        guard let file = try existing(id) else { throw FileError.noSuchFile(path(id)) }
        try file.remove()
    }

    func existing(_ id: String) throws -> JournalFile? {
        isThere(id) ? try JournalFile(at: path(id)) : nil
    }

    /// Returns the lines of a journal, whoever holds it: none if there is no such journal.
    func lines(of id: String) throws -> [JournalFile.Line] {
        do { return try JournalFile.lines(of: LocalFileHandle(reading: path(id))).lines } catch
            where error.isNoSuchFile
        {
            return []
        }
    }

    private func isThere(_ id: String) -> Bool { path(id).withCString { access($0, F_OK) } == 0 }

    private func firstLine(of path: LocalPath) throws -> Data {
        let file = try LocalFileHandle(reading: path)
        var line = Data()
        while true {
            let chunk = try file.read(at: Int64(line.count), count: 64 << 10)
            let part = chunk.prefix { $0 != UInt8(ascii: "\n") }
            line += part
            if part.count < chunk.count || chunk.isEmpty { return line }
        }
    }

    func create(_ identity: JobIdentity) throws -> JournalFile {
        try PrivateFile.createFolder(folder)
        let file = try JournalFile(at: path(identity.name))
        let header = Header(begun: FileTime(Date()), note: note, number: identity.number)
        do { try file.append(JournalHistory.Kind.header, JSONEncoder().encode(header)) } catch {
            try? file.remove()
            throw error
        }
        return file
    }

    private func path(_ id: String) -> LocalPath { folder.appending((id + Self.suffix).utf8) }

    private func isHeld(_ id: String) -> Bool { JournalFile.isHeld(path(id)) }
}
