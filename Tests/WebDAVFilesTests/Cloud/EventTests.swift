import FileProviding
import Foundation
import Testing

@testable import WebDAVFiles

/// Server-sent events and what is made of them. The contract suite watches a live server.
@Suite struct EventTests {
    private static let stream = """
        : welcome\r
        id: 7\r
        data: {"itemid":"a$b!c","parentitemid":"a$b!p","spaceid":"a$b"}\r
        event: item-trashed\r
        \r
        data: one\ndata:two\n\ndata\n\nevent: without data\n\nid: 8\rdata: é\r\r
        """

    @Test(arguments: [1, 2, 3, 5, 1_000])
    func aStreamIsReadHoweverItIsCut(pieces: Int) throws {
        var parser = ServerSentEvents()
        var events: [ServerSentEvents.Event] = []
        var rest = Data(Self.stream.utf8)
        while !rest.isEmpty {
            events += try parser.consume(Data(rest.prefix(pieces)))
            rest = Data(rest.dropFirst(pieces))
        }
        #expect(events.map(\.name) == ["item-trashed", "message", "message", "message"])
        #expect(events.map(\.data).dropFirst() == ["one\ntwo", "", "é"])
        #expect(events.map(\.id) == ["7", "7", "7", "8"])
        let change = try #require(try CloudEvent(events[0]))
        #expect(change.kind == .removed && change.item == "a$b!c" && change.parent == "a$b!p" && change.space == "a$b")
    }

    @Test func anEndlessLineIsAnError() {
        var parser = ServerSentEvents()
        #expect(throws: URLError.self) { try parser.consume(Data(repeating: 65, count: (1 << 20) + 1)) }
    }

    @Test func anEndlessEventIsAnError() {
        var parser = ServerSentEvents()
        let line = "data: " + String(repeating: "x", count: 100_000) + "\n"
        #expect(throws: URLError.self) {
            for _ in 1...11 { _ = try parser.consume(Data(line.utf8)) }
        }
    }

    @Test func whatIsNoChangeOfFilesIsPassedOver() throws {
        let share = ServerSentEvents.Event(id: nil, name: "share-created", data: #"{"itemid":"x"}"#)
        #expect(try CloudEvent(share) == nil)
    }

    @Test(arguments: ["no JSON", #"{"parentitemid":"p"}"#])
    func aChangeOfNobodyKnowsWhatIsAnError(data: String) {
        let change = ServerSentEvents.Event(id: nil, name: "item-trashed", data: data)
        #expect(throws: DecodingError.self) { try CloudEvent(change) }
    }

    /// Other tests change the same account meanwhile; of them nothing is told.
    @Test(.enabled(if: Face.areRunning, "needs Scripts/test-servers"), .timeLimit(.minutes(2)))
    func changesAreToldByPath() async throws {
        try await Face.openCloud.withDirectory { provider, directory in
            let (old, new) = (try directory.appending("old"), try directory.appending("new"))
            try await provider.put("x", at: old)
            var iterator = try await provider.changes(path: directory, recursive: true).makeAsyncIterator()
            try await provider.put("y", at: old, overwrite: true)
            var told = try await iterator.next()
            #expect(told == .modified(old))
            try await provider.moveItem(path: old, to: new)
            told = try await iterator.next()
            #expect(told == .moved(from: old, to: new))
            try await provider.createDirectory(path: try directory.appending("d"))
            told = try await iterator.next()
            #expect(told == .created(try directory.appending("d")))
            // Each is written under another name first, and may be looked at only when it has its own.
            for number in 0..<20 {
                let written = try directory.appending("written \(number)")
                try await provider.writeContents(path: written, contents: Data("z".utf8))
                told = try await iterator.next()
                #expect(told == .created(written))
            }
            try await provider.removeItem(path: new)
            told = try await iterator.next()
            #expect(told == .removed(new))
        }
    }

    @Test(.enabled(if: Face.areRunning, "needs Scripts/test-servers"), .timeLimit(.minutes(2)))
    func `nothing is watched any more when the directory is gone`() async throws {
        try await Face.openCloud.withDirectory { provider, directory in
            let gone = try directory.appending("gone")
            try await provider.createDirectory(path: gone)
            let changes = try await provider.changes(path: gone, recursive: true)
            try await provider.removeItem(path: gone)
            #expect(try await changes.reduce(into: []) { $0.append($1) }.last == .rescan(gone))
        }
    }
}
