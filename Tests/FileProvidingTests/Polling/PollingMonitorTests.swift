import FileProviderTesting
import FileProviding
import Foundation
import MemoryFiles
import Testing

/// How a monitor looks, and what it costs; that following it leads to the truth is in the contract.
@Suite struct PollingMonitorTests {
    private let files = MemoryFileProvider()
    private let clock = SteppingClock()

    private func watch(_ way: CountedProvider.Way, listingsPerLook: Int? = nil) async throws -> (
        FileChanges, CountedProvider
    ) {
        for file in ["a", "d/b", "d/e/c", "f/g"] {
            try await files.write(path: ItemPath(validating: file), from: ByteStream(Data()), options: .withParents)
        }
        let counted = CountedProvider(files, way)
        let monitor = PollingMonitor(counted, interval: .seconds(9), listingsPerLook: listingsPerLook, clock: clock)
        let changes = try await monitor.changes(path: .root, recursive: true)
        counted.forget()
        return (changes, counted)
    }

    @Test func alongTagsAnUnchangedTreeCostsOneRequestAndAChangeThoseOnItsWay() async throws {
        let (changes, counted) = try await watch(.tags)
        try await files.writeContents(path: "d/e/new", contents: Data())
        var iterator = changes.makeAsyncIterator()
        clock.step()
        #expect(try await iterator.next() == .created("d/e/new"))
        #expect(counted.asked == ["attributes /", "listing /", "listing /d", "listing /d/e"])

        counted.forget()
        clock.step()
        clock.step()
        let pulling = Task { [iterator] in
            var iterator = iterator
            return try await iterator.next()
        }
        await clock.untilAsleep()
        #expect(counted.asked == ["attributes /", "attributes /"])
        pulling.cancel()
    }

    @Test(arguments: [CountedProvider.Way.tags, .wholeTree, .directories], [true, false])
    func aFileIsNotWatched(way: CountedProvider.Way, isRecursive: Bool) async throws {
        try await files.writeContents(path: "file", contents: Data())
        let monitor = PollingMonitor(CountedProvider(files, way), interval: .seconds(9), clock: clock)
        let error = await #expect(throws: CocoaError.self) {
            try await monitor.changes(path: "file", recursive: isRecursive)
        }
        #expect(error?.isNotADirectory == true, "\(String(describing: error))")
    }

    @Test func aTreeThatListsAtOnceIsListedAtOnce() async throws {
        let (changes, counted) = try await watch(.wholeTree)
        try await files.removeItem(path: "d")
        clock.step()
        var iterator = changes.makeAsyncIterator()
        #expect(try await iterator.next() == .removed("d"))
        #expect(counted.asked == ["tree /"])
    }

    @Test func directoriesAreListedInTurnWithinTheBudget() async throws {
        let (changes, counted) = try await watch(.directories, listingsPerLook: 2)
        try await files.writeContents(path: "f/new", contents: Data())
        for _ in 0..<4 { clock.step() }
        var iterator = changes.makeAsyncIterator()
        #expect(try await iterator.next() == .created("f/new"))
        #expect(counted.asked == ["listing /", "listing /d", "listing /d/e", "listing /f"])
    }

    @Test func aRenamedFileIsToldAsOneWhereItsIdentifierStays() async throws {
        let (changes, _) = try await watch(.directories)
        try await files.moveItem(path: "a", to: "d/moved")
        clock.step()
        var iterator = changes.makeAsyncIterator()
        #expect(try await iterator.next() == .moved(from: "a", to: "d/moved"))
    }

    /// As a folder of another storage that is away: the rest goes on.
    @Test(arguments: [CountedProvider.Way.tags, .directories])
    func aDirectoryThatTheServerFailsAtDoesNotHideOthers(way: CountedProvider.Way) async throws {
        struct Failure: FileProviderHTTPError {
            var statusCode = 500
            var path = "/d"
            var serverDescription: String?
        }
        let (changes, counted) = try await watch(way)
        counted.close("d", with: Failure())
        for path in ["d/new", "f/new"] as [ItemPath] { try await files.writeContents(path: path, contents: Data()) }
        clock.step()
        var iterator = changes.makeAsyncIterator()
        #expect(try await iterator.next() == .created("f/new"))
        counted.close(nil)
        clock.step()
        #expect(try await iterator.next() == .created("d/new"))
    }

    @Test func notificationsEndWithTheProvider() async throws {
        weak var context: FileProviderContext?
        do {
            let monitor = PollingMonitor(MemoryFileProvider(), interval: .seconds(9), clock: clock)
            try await monitor.registerNotification(path: .root) { _ in }
            context = monitor.context
            #expect(context != nil)
        }
        for _ in 0..<500 where context != nil { try await Task.sleep(for: .milliseconds(10)) }
        #expect(context == nil)
    }

    @Test func aRegistrationEndsWithTheWatch() async throws {
        let counted = CountedProvider(files, .directories)
        let monitor = PollingMonitor(counted, interval: .seconds(9), clock: clock)
        let (told, telling) = AsyncStream<FileChange>.makeStream()
        try await monitor.registerNotification(path: .root) { telling.yield($0) }
        #expect(monitor.isRegisteredForNotification(path: .root))
        counted.fail(with: [URLError(.userAuthenticationRequired)])
        clock.step()
        #expect(await told.first { _ in true } == .rescan(.root))
        #expect(!monitor.isRegisteredForNotification(path: .root))
    }

    @Test func aServerThatIsAwayIsLookedAtAgain() async throws {
        let (changes, counted) = try await watch(.directories)
        try await files.writeContents(path: "d/new", contents: Data())
        counted.fail(with: [URLError(.cannotConnectToHost), URLError(.timedOut)])
        for _ in 0..<3 { clock.step() }
        var iterator = changes.makeAsyncIterator()
        #expect(try await iterator.next() == .created("d/new"))
    }

    @Test(arguments: [CountedProvider.Way.tags, .directories])
    func aClosedFolderKeepsNobodyFromWatchingTheOthers(way: CountedProvider.Way) async throws {
        for file in ["closed/a", "open/b"] {
            try await files.write(path: ItemPath(validating: file), from: ByteStream(Data()), options: .withParents)
        }
        let counted = CountedProvider(files, way)
        counted.close("closed")
        let monitor = PollingMonitor(counted, interval: .seconds(9), clock: clock)
        let changes = try await monitor.changes(path: .root, recursive: true)
        try await files.writeContents(path: "open/new", contents: Data())
        clock.step()
        var iterator = changes.makeAsyncIterator()
        #expect(try await iterator.next() == .created("open/new"))
    }

    @Test(arguments: [CountedProvider.Way.tags, .directories])
    func whatHappensInAFolderWhileItIsClosedIsToldWhenItIsNotAnyMore(way: CountedProvider.Way) async throws {
        let (changes, counted) = try await watch(way)
        try await files.writeContents(path: "d/new", contents: Data())
        counted.close("d")
        let pulling = Task {
            var iterator = changes.makeAsyncIterator()
            return try await iterator.next()
        }
        clock.step()
        await clock.untilAsleep()
        counted.close(nil)
        clock.step()
        #expect(try await pulling.value == .created("d/new"))
    }

    @Test func aFolderInTheFormerPlaceOfAFileIsNotTakenForIt() async throws {
        let (changes, _) = try await watch(.directories)
        try await files.moveItem(path: "a", to: "z")
        try await files.createDirectory(path: "a")
        clock.step()
        var iterator = changes.makeAsyncIterator()
        var told: [FileChange] = []
        while told.count < 3, let change = try await iterator.next() { told.append(change) }
        #expect(told.first == .removed("a"))
        #expect(told.dropFirst().contains(.created("a")) && told.dropFirst().contains(.created("z")))
    }

    @Test func aRefusedCredentialEndsTheWatching() async throws {
        let (changes, counted) = try await watch(.directories)
        counted.fail(with: [URLError(.userAuthenticationRequired)])
        clock.step()
        let error = await #expect(throws: URLError.self) { for try await _ in changes {} }
        #expect(error?.code == .userAuthenticationRequired)
    }

    @Test func registeredHandlersAreToldByPollingToo() async throws {
        let monitor = PollingMonitor(files, interval: .seconds(1), clock: clock)
        let (told, telling) = AsyncStream<FileChange>.makeStream()
        try await monitor.registerNotification(path: .root) { telling.yield($0) }
        try await files.writeContents(path: "new", contents: Data())
        clock.step()
        #expect(await told.first { _ in true } == .created("new"))
        monitor.unregisterNotification(path: .root)
    }
}

extension OperationOptions {
    fileprivate static var withParents: OperationOptions { OperationOptions(overwrite: true, createsParents: true) }
}
