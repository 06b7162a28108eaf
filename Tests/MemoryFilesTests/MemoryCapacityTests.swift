import FileProviding
import Foundation
import MemoryFiles
import Testing

@Suite struct MemoryCapacityTests {
    private let store = MemoryStore(capacity: 1_000)
    private var provider: MemoryFileProvider { MemoryFileProvider(store: store) }

    @Test func whatDoesNotFitIsRefusedAndLeavesNothing() async throws {
        try await provider.writeContents(path: "a", contents: Data(count: 600))
        let error = await #expect(throws: CocoaError.self) {
            try await provider.writeContents(path: "b", contents: Data(count: 401))
        }
        #expect(error?.code == .fileWriteOutOfSpace && error?.userInfo[NSFilePathErrorKey] as? String == "/b")
        #expect(store.usage.used == 600)
        #expect(try await provider.contentsOfDirectory(path: .root).map(\.name) == ["a"])
    }

    @Test func whatDoesNotFitIsRefusedBeforeItIsRead() async throws {
        let source = ByteStream(length: 1_001) {
            Issue.record("the source was opened")
            return { nil }
        }
        await #expect(throws: CocoaError.self) { try await provider.write(path: "a", from: source) }
    }

    @Test func noLengthIsTooLongToBeRefused() async throws {
        try await provider.writeContents(path: "a", contents: Data(count: 900))
        await #expect(throws: CocoaError.self) {
            try await provider.write(path: "b", from: ByteStream(length: .max) { { nil } })
        }
    }

    @Test func replacingCountsTheDifference() async throws {
        try await provider.writeContents(path: "a", contents: Data(count: 900))
        try await provider.writeContents(path: "a", contents: Data(count: 1_000), overwrite: true)
        #expect(store.usage.used == 1_000)
        await #expect(throws: CocoaError.self) { try await provider.copyItem(path: "a", to: "b") }
        try await provider.removeItem(path: "a")
        #expect(store.usage.used == 0)
    }

    @Test func theTrashCountsUntilItIsEmptied() async throws {
        try await provider.writeContents(path: "a", contents: Data(count: 900))
        try await provider.trashItem(path: "a")
        #expect(store.usage.used == 900)
        try await provider.emptyTrash(nil)
        #expect(store.usage.used == 0)
    }

    @Test func theVolumeTellsBoth() async throws {
        try await provider.writeContents(path: "a", contents: Data(count: 250))
        let volume = try await provider.storageProperties()
        #expect(volume?.totalCapacity == 1_000 && volume?.availableCapacity == 750 && volume?.usage == 250)
        let unlimited = try await MemoryFileProvider().storageProperties()
        #expect(unlimited?.totalCapacity == nil && unlimited?.usage == 0)
    }
}
