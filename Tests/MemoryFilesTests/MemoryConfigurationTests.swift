import FileProviding
import Foundation
import MemoryFiles
import Testing

@Suite struct MemoryConfigurationTests {
    @Test(arguments: [
        ("mem:name", "name", "/"), ("mem:name/", "name", "/"), ("mem:name/a/b", "name", "/a/b"),
        ("MEM:name/a%20b", "name", "/a b"), ("mem:n%C3%A4me/%2541", "n\u{E4}me", "/%41"), ("mem:a:b/c", "a:b", "/c"),
    ])
    func readsURLs(text: String, name: String, path: String) throws {
        let url = try #require(URL(string: text))
        let (configuration, item) = try MemoryFileProvider.configuration(for: url)
        #expect(configuration.store?.text == name && item.description == path)
    }

    @Test(arguments: [
        "mem:", "mem:/", "mem:/a", "mem://host/a", "mem:name?q", "mem:name#f", "mem:../x", "file:name",
        "mem:name/../../x",
    ])
    func refusesOtherURLs(text: String) throws {
        let url = try #require(URL(string: text))
        let error = #expect(throws: URLError.self) { try MemoryFileProvider.configuration(for: url) }
        #expect(error?.code == .badURL)
    }

    @Test func aNameMeansOneStoreInATable() async throws {
        let stores = MemoryStoreTable()
        let name = try ItemName(validating: "shared")
        let configuration = MemoryFileProvider.Configuration(store: name)
        let one = try MemoryFileProvider(configuration: configuration, stores: stores)
        let other = try MemoryFileProvider(configuration: configuration, stores: stores)
        try await one.writeContents(path: "a", contents: Data("a".utf8))
        #expect(try await other.contents(path: "a") == Data("a".utf8))
        #expect(one.identity == other.identity)
        stores.removeStore(named: name)
        let fresh = try MemoryFileProvider(configuration: configuration, stores: stores)
        #expect(try await fresh.contentsOfDirectory(path: .root).isEmpty)
        #expect(try await one.contentsOfDirectory(path: .root).count == 1)
    }

    @Test func theProcessHasATableForURLs() async throws {
        let url = try #require(URL(string: "mem:process-\(UUID())/a"))
        let (configuration, path) = try MemoryFileProvider.configuration(for: url)
        let one = try MemoryFileProvider(configuration: configuration)
        try await one.writeContents(path: path, contents: Data("a".utf8))
        let other = try MemoryFileProvider(configuration: configuration)
        #expect(try await other.contents(path: path) == Data("a".utf8))
        #expect(one.url(of: path).absoluteString.lowercased() == url.absoluteString.lowercased())
        #expect(one.relativePathOf(url: url) == path)
        MemoryStoreTable.process.removeStore(named: try #require(configuration.store))
    }

    @Test func storesWithoutANameAreApart() async throws {
        let (one, other) = (MemoryFileProvider(), MemoryFileProvider())
        #expect(one.identity != other.identity && one.baseURL == nil)
        try await one.createDirectory(path: "a")
        #expect(try await other.contentsOfDirectory(path: .root).isEmpty)
        #expect(one.copy().identity == one.identity)
    }

    @Test func aPageSizeBelowOneIsRefused() {
        let configuration = MemoryFileProvider.Configuration(store: nil, pageSize: 0)
        #expect(throws: CocoaError.self) { try MemoryFileProvider(configuration: configuration) }
    }
}
