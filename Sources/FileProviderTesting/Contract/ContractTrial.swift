import FileProviding
import Foundation

/// One running case: the provider under test in an empty directory of its own, and shorthand methods for using it.
public struct ContractTrial: Sendable {
    /// The provider under test and its expectations.
    public let subject: ContractSubject
    /// The directory and further providers of it.
    public let sandbox: ContractSandbox
    /// The provider under test.
    public let provider: any FileProviderBasic

    /// What is expected of this provider and server.
    public var expectations: ContractExpectations { subject.expectations }
    /// The case's own directory, empty at first.
    public var directory: ItemPath { sandbox.directory }

    /// Returns the path of an item below the case's directory; `text` is split at slashes and otherwise used literally.
    public func path(_ text: String) -> ItemPath {
        text.split(separator: "/").reduce(directory) { $0.appending(ItemName(unchecked: Array($1.utf8))) }
    }

    /// Returns the path of the item with this name in the case's directory.
    public func path(_ name: ItemName) -> ItemPath { directory.appending(name) }

    /// Returns the provider as a type that it must conform to.
    ///
    /// - Throws: ``ContractFailure`` when it does not.
    public func provider<Capability>(as type: Capability.Type) throws -> Capability {
        try expectValue(provider as? Capability, "the conformance to \(type)")
    }

    /// The provider as one that reads and writes files.
    public var readWrite: any FileProviderReadWrite {
        get throws { try provider(as: (any FileProviderReadWrite).self) }
    }

    /// The provider as one that performs operations.
    public var operations: any FileProviderOperations {
        get throws { try provider(as: (any FileProviderOperations).self) }
    }

    /// Returns a further provider of the same directory, created as another process would.
    public func anotherProvider<Capability>(as type: Capability.Type) async throws -> Capability {
        try expectValue(try await sandbox.newProvider() as? Capability, "the conformance to \(type)")
    }

    /// Returns a provider of the same directory whose listings fail after this many pages.
    func failing(afterPages count: Int) async throws -> any FileProviderBasic {
        try await sandbox.failingPages?(count) ?? PageFailure(base: provider, pagesBeforeFailure: count)
    }

    /// The number of requests that the provider has sent; 0 for one that sends none.
    var requestCount: Int { expectations.requestCount?(provider) ?? 0 }

    // MARK: Arranging, by the provider itself or by one that can write

    private var arranger: any FileProvider {
        get throws {
            try expectValue(
                sandbox.arranger ?? provider as? any FileProvider, "an arranger, which a provider that only reads needs"
            )
        }
    }

    /// Creates a file, and missing parents too.
    @discardableResult
    public func arrange(file path: ItemPath, _ bytes: Data = Data("contents".utf8)) async throws -> FileObject {
        try await arrange(file: path, ByteStream(bytes))
    }

    /// Creates a file, and missing parents too.
    @discardableResult
    public func arrange(file path: ItemPath, _ bytes: ByteStream) async throws -> FileObject {
        try await arranger.write(
            path: path, from: bytes, options: OperationOptions(overwrite: true, createsParents: true))
    }

    /// Creates a directory, and missing parents too; empty if the storage keeps empty directories, otherwise with a
    /// placeholder in it.
    public func arrange(directory path: ItemPath) async throws {
        try await arrange(emptyDirectory: path)
        if !expectations.keepsEmptyDirectories { try await arrange(file: path.appending(Self.placeholder)) }
    }

    /// Creates an empty directory, whether or not the provider under test can see it, and missing parents too.
    func arrange(emptyDirectory path: ItemPath) async throws {
        try await arranger.createDirectory(path: path, createsParents: true)
    }

    /// The file in a directory created on a storage without empty directories.
    static let placeholder = ItemName(unchecked: Array("placeholder".utf8))

    /// Removes an item; a directory with everything below it.
    public func arrange(removalOf path: ItemPath) async throws { try await arranger.removeItem(path: path) }

    // MARK: Asking the provider under test

    /// Returns a file's bytes.
    public func read(_ path: ItemPath, _ range: ByteRange = .all) async throws -> Data {
        try await readWrite.read(path: path, range: range).collect()
    }

    /// Writes a file from a stream whose length is known.
    @discardableResult
    public func write(_ path: ItemPath, _ bytes: Data, overwrite: Bool = false) async throws -> FileObject {
        try await readWrite.write(path: path, from: ByteStream(bytes), options: OperationOptions(overwrite: overwrite))
    }

    /// Returns the names in a directory, in byte order.
    public func names(in path: ItemPath) async throws -> [ItemName] {
        try await provider.contentsOfDirectory(path: path).map(\.itemName).sorted()
    }

    /// Checks that a file holds exactly these bytes: through the provider, and on the local view if there is one.
    public func expectFile(
        _ path: ItemPath, holds bytes: Data, file: StaticString = #fileID, line: UInt = #line
    ) async throws {
        try expectEqual(try await read(path), bytes, "bytes of \(path)", file: file, line: line)
        try expectEqual(
            try await provider.attributesOfItem(path: path).size, Int64(bytes.count), "size of \(path)", file: file,
            line: line)
        if let onDisk = localPath(of: path) {
            let opened = try LocalFileHandle(reading: onDisk)
            let found = try opened.read(at: 0, count: Int(opened.size()))
            try expectEqual(found, bytes, "bytes of \(path) on disk", file: file, line: line)
        }
    }

    /// Checks that there is nothing at `path`.
    public func expectMissing(_ path: ItemPath, file: StaticString = #fileID, line: UInt = #line) async throws {
        try await expectError(.noSuchFile, "attributes of \(path)", file: file, line: line) {
            try await provider.attributesOfItem(path: path)
        }
    }

    /// Checks that a directory has exactly these entries.
    public func expectEntries(
        of path: ItemPath, are names: [String], file: StaticString = #fileID, line: UInt = #line
    ) async throws {
        let expected = names.map { ItemName(unchecked: Array($0.utf8)) }.sorted()
        try expectEqual(try await self.names(in: path), expected, "entries of \(path)", file: file, line: line)
    }

    /// Returns an item's path on this machine's disk, if it is there under its own name.
    public func localPath(of path: ItemPath) -> LocalPath? {
        guard let root = sandbox.localView, expectations.storesNamesVerbatim,
            let relative = path.relative(to: directory)
        else { return nil }
        return relative.components.reduce(root) { $0.appending($1.bytes) }
    }
}
