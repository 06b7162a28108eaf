import FileProviding
import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The folder of the journals of transfers that are not finished.
///
/// One file for each transfer, readable by nobody else (0600): it can hold upload addresses that are secrets. A journal
/// is found by what the transfer is about, so running the same plan again continues it, and it vanishes with its end.
public struct TransferJournals: Sendable {
    /// Where they are.
    public let folder: LocalPath
    /// What the caller wants to read in ``unfinished()`` again, such as the command that began the transfer. No secrets.
    public var note: [String: String]

    /// A transfer that did not come to its end.
    public struct Unfinished: Sendable {
        /// Its journal's name.
        public let id: String
        /// When it was begun.
        public let begun: FileTime
        /// The caller's words.
        public let note: [String: String]
        /// Whether a process is working at it now.
        public let isRunning: Bool
    }

    struct Header: Codable {
        var begun: FileTime
        var note: [String: String]
        /// ``JobIdentity/number``
        var number: UInt64?
    }

    private static let suffix = ".journal"

    /// The journals in a folder, which is made (0700) with the first one.
    public init(folder: LocalPath, note: [String: String] = [:]) {
        self.folder = folder
        self.note = note
    }

    /// Makes the folder, if it is not there.
    ///
    /// - Throws: why no journal can be kept there. A transfer without journals cannot be continued.
    public func prepare() throws {
        try PrivateFile.createFolder(folder)
        try PrivateFile.tryWriting(into: folder)
    }

    /// The transfers that did not come to their end, oldest first.
    public func unfinished() throws -> [Unfinished] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder.description)
        } catch let error as CocoaError where error.isNoSuchFile {
            return []
        }
        return names.filter { $0.hasSuffix(Self.suffix) }.compactMap { name in
            let id = String(name.dropLast(Self.suffix.count))
            guard let text = try? firstLine(of: path(id)), text.first == TransferJournal.header,
                let header = try? JSONDecoder().decode(Header.self, from: text.dropFirst())
            else { return nil }
            return Unfinished(id: id, begun: header.begun, note: header.note, isRunning: isHeld(id))
        }.sorted { $0.begun < $1.begun }
    }

    /// Whether an earlier run of this plan did not come to its end.
    public func isUnfinished(_ plan: TransferPlan) throws -> Bool {
        try isThere(JobIdentity(plan).name)
    }

    /// Forgets a transfer. What it left at its destination stays there; see ``Transfer/discard(_:at:in:)``.
    public func forget(_ id: String) throws {
        guard let file = try existing(id) else { throw FileError.noSuchFile(path(id)) }
        try file.remove()
    }

    func existing(_ id: String) throws -> JournalFile? {
        isThere(id) ? try JournalFile(at: path(id)) : nil
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
        do { try file.append(TransferJournal.header, JSONEncoder().encode(header)) } catch {
            try? file.remove()
            throw error
        }
        return file
    }

    private func path(_ id: String) -> LocalPath { folder.appending((id + Self.suffix).utf8) }

    private func isHeld(_ id: String) -> Bool {
        do {
            _ = try existing(id)
            return false
        } catch {
            return (error as? CocoaError)?.code == .fileLocking
        }
    }
}
