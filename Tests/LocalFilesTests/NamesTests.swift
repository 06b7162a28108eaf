import FileProviding
import Foundation
import LocalFiles
import Testing

@Suite struct NamesTests {
    let scratch: Scratch
    var provider: LocalFileProvider { scratch.provider }

    init() throws { scratch = try Scratch() }

    @Test(arguments: [
        Array("caf\u{e9}".utf8), Array("cafe\u{301}".utf8), [0xff, 0xfe, 0x80], Array(" leading".utf8),
        Array("trailing ".utf8), Array("new\nline".utf8), Array("%41".utf8), Array("back\\slash".utf8),
        [1, 2, 31, 127],
        Array("id:abcd".utf8), Array(repeating: 0x61, count: 255), Array("-rf".utf8), Array("*".utf8),
    ])
    func roundTrip(name: [UInt8]) async throws {
        let path = ItemPath.root.appending(try ItemName(validating: name))
        try await provider.write(path: path, from: ByteStream("bytes"))
        let listed = try await provider.contentsOfDirectory(path: "/")
        #expect(listed.map(\.itemName.bytes) == [name])
        #expect(try await provider.text(path) == "bytes")
        let folder = path.appending(try ItemName(validating: "x"))
        #expect(await failure { try await provider.createDirectory(path: folder) } != nil)
        let url = provider.url(of: path)
        #expect(provider.relativePathOf(url: url) == path)
        try await provider.removeItem(path: path)
        #expect(try await provider.contentsOfDirectory(path: "/").isEmpty)
    }

    @Test func composedAndDecomposedAreTwoFiles() async throws {
        try await provider.write(path: "caf\u{e9}", from: ByteStream("composed"))
        try await provider.write(path: "cafe\u{301}", from: ByteStream("decomposed"))
        #expect(try await provider.text("caf\u{e9}") == "composed")
        #expect(try await provider.contentsOfDirectory(path: "/").count == 2)
    }

    @Test func tooLong() async throws {
        let path = try ItemPath(validating: String(repeating: "x", count: 256))
        let error = await failure { try await provider.write(path: path, from: ByteStream("")) }
        #expect((error as? CocoaError)?.code == .fileWriteInvalidFileName)
        #expect(try scratch.names().isEmpty)
    }

    /// A path that no system call takes at once.
    @Test func longPaths() async throws {
        let name = try ItemName(validating: String(repeating: "x", count: 200))
        let deep = (0..<30).reduce(ItemPath.root) { path, _ in path.appending(name) }
        let leaf: ItemPath = "leaf"
        try await provider.createDirectory(path: deep, createsParents: true)
        try await provider.write(path: deep.appending(leaf), from: ByteStream("bytes"))
        #expect(try await provider.text(deep.appending(leaf)) == "bytes")
        #expect(try await provider.contentsOfDirectory(path: deep).map(\.name) == ["leaf"])
        #expect(try await provider.attributesOfItem(path: deep.appending(leaf)).size == 5)
        try await provider.removeItem(path: .root.appending(name))
        #expect(try scratch.names().isEmpty)
    }

    @Test func renamingOnlyTheCase() async throws {
        try scratch.put("x", at: "name")
        try await provider.moveItem(path: "name", to: "Name")
        #expect(try scratch.names() == ["Name"])
    }
}
