import FileProviding
import Foundation
import Glibc

/// Where an item is to appear, and what stood there when it was looked at.
struct Destination: Sendable {
    let path: ItemPath
    let place: Place
    let existing: Status?
    private let options: OperationOptions

    /// The file that goes when another one appears here.
    var replaced: Status? { existing.flatMap { $0.isRegularFile ? $0 : nil } }

    /// Looks at a place for a new item, making its parents where the options say so.
    ///
    /// - Throws: `.fileNoSuchFile` for a missing parent; "has changed" when the item there is not the expected version.
    init(_ path: ItemPath, in root: LocalRoot, options: OperationOptions) throws {
        guard !path.isRoot else { throw Self.directoryInTheWay(path) }
        let place = try about(path, writing: true) {
            try root.place(of: path, creatingParents: options.createsParents)
        }
        try self.init(path, at: place, options: options)
    }

    /// Looks at a place once more.
    init(_ path: ItemPath, at place: Place, options: OperationOptions) throws {
        self.path = path
        self.place = place
        self.options = options
        existing = try about(path, writing: true) { try place.directory.statusIfPresent(of: place.name) }
        try checkExpectation(existing)
    }

    /// Refuses everything but a free name, and a file in place of a file where that is wanted.
    func admit(directory: Bool) throws {
        if path.namesDirectory, !directory { throw FileError.isADirectory(path, writing: true) }
        guard let existing else { return }
        if existing.isDirectory {
            throw options.overwrite && !directory
                ? FileError.isADirectory(path, writing: true) : Self.directoryInTheWay(path)
        }
        guard options.overwrite else { throw FileError.exists(path) }
        guard !directory else {
            throw cocoaError(
                path, code: .fileWriteUnknown, reason: "a directory cannot replace a file",
                underlying: POSIXError(.ENOTDIR))
        }
    }

    /// Looks again, just before the item appears.
    func checkAgain() throws {
        guard options.expecting != nil else { return }
        try checkExpectation(about(path, writing: true) { try place.directory.statusIfPresent(of: place.name) })
    }

    /// Lets a file appear here and describes it; on the medium, where that is wanted, before it has its name.
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
            if options.flush { try place.directory.reopened().flush() }
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
