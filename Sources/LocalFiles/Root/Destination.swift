import FileProviding
import Foundation
import Glibc

/// The place where an item is to appear, and what was there when it was looked up.
struct Destination: Sendable {
    let path: ItemPath
    let place: Place
    let existing: Status?
    private let options: OperationOptions

    /// The file that will be replaced by the new item.
    var replaced: Status? { existing.flatMap { $0.isRegularFile ? $0 : nil } }

    /// Looks up the place for a new item, creating its parents if the options say so.
    ///
    /// - Throws: `.fileNoSuchFile` for a missing parent; "has changed" when the item there is not the expected version.
    init(_ path: ItemPath, in root: LocalRoot, options: OperationOptions) throws {
        guard !path.isRoot else { throw Self.directoryInTheWay(path) }
        let place = try about(path, writing: true) {
            try root.place(of: path, creatingParents: options.createsParents)
        }
        try self.init(path, at: place, options: options)
    }

    /// Looks up a place again.
    init(_ path: ItemPath, at place: Place, options: OperationOptions) throws {
        self.path = path
        self.place = place
        self.options = options
        existing = try about(path, writing: true) { try place.directory.statusIfPresent(of: place.name) }
        try checkExpectation(existing)
    }

    /// Refuses everything except a free name, or a file to be replaced by a file if the options allow it.
    func admit(directory: Bool) throws {
        if path.namesDirectory, !directory { throw FileError.isADirectory(path, writing: true) }
        guard let existing else { return }
        if existing.isDirectory {
            throw options.overwrite && !directory
                ? FileError.isADirectory(path, writing: true) : Self.directoryInTheWay(path)
        }
        guard options.overwrite else { throw FileError.exists(path) }
        if existing.type == .unknown { throw FileError.specialFile(path) }
        guard !directory else {
            throw cocoaError(
                path, code: .fileWriteUnknown, reason: "a directory cannot replace a file",
                underlying: POSIXError(.ENOTDIR))
        }
    }

    /// Looks up the place again, just before the item appears.
    func checkAgain() throws {
        guard options.expecting != nil else { return }
        try checkExpectation(about(path, writing: true) { try place.directory.statusIfPresent(of: place.name) })
    }

    /// Makes a file appear here and returns its description; if requested, it is flushed to the medium before it gets
    /// its name.
    ///
    /// - Parameter rename: gives it the name; without `replacing` an existing item is `EEXIST`.
    func receive(
        _ file: LocalFileHandle, _ options: OperationOptions,
        byRenaming rename: (_ place: Place, _ replacing: Bool) throws(Errno) -> Void
    ) throws -> FileObject {
        try about(path, writing: true) {
            if options.flush { try file.flush() }
            try checkAgain()
            try rename(place, options.overwrite)
            if options.flush {
                // A file that had no name when it was flushed is none on a medium without a journal.
                try file.flush()
                try place.directory.flushEntries()
            }
            return FileObject(path: path, status: try file.status())
        }
    }

    private func checkExpectation(_ status: Status?) throws {
        guard let expected = options.expecting else { return }
        guard let status, expected.matches(FileObject(path: path, status: status)) else {
            throw FileError.changed(path)
        }
    }

    private static func directoryInTheWay(_ path: ItemPath) -> CocoaError {
        cocoaError(
            path, code: .fileWriteFileExists, reason: "a directory is there, and is neither replaced nor merged",
            underlying: POSIXError(.EISDIR))
    }
}
