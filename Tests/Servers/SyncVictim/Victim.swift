import CloudCore
import FileProviding
import Foundation
import Glibc
import TestSupport

/// Gives a core one random command after the other.
struct Victim {
    let core: Core

    func work(steps: Int, _ generator: SeededGenerator) async throws {
        var generator = generator
        for _ in 0..<steps { try await step(&generator) }
    }

    private func step(_ generator: inout SeededGenerator) async throws {
        let items = try await core.changes(since: .beginning)?.items.filter { !$0.isRemoved } ?? []
        let files = items.filter { $0.type == .regular }
        let directories = items.filter(\.isDirectory)
        guard let directory = directories.randomElement(using: &generator) else { return }
        let name = try ItemName(validating: "n\(Int.random(in: 0..<12, using: &generator))")
        let isLarge = Int.random(in: 0..<12, using: &generator) == 0
        do {
            switch Int.random(in: 0..<10, using: &generator) {
            case 0, 1: _ = try await core.submit(.createFolder(name, in: directory.localID))
            case 2, 3, 4: try await write(isLarge) { .upload($0, as: name, in: directory.localID) }
            case 5, 6:
                guard let file = files.randomElement(using: &generator), try await isOver(file) else { return }
                try await write(isLarge) { .modify(file.localID, $0) }
            case 7, 8:
                guard let item = items.filter({ $0.parentID != nil }).randomElement(using: &generator) else { return }
                _ = try await core.submit(.move(item.localID, to: directory.localID, as: name))
            default:
                guard let file = files.randomElement(using: &generator), try await isOver(file) else { return }
                _ = try await core.submit(.delete(file.localID))
            }
        } catch let error as CocoaError {
            // A name that is taken, a directory into itself: the next step does something else.
            _ = error
        }
    }

    /// Contents that no other write has, now and then larger than what is sent whole.
    private func write(_ isLarge: Bool, _ command: (ByteStream) -> Command) async throws {
        let text = "\(UUID())"
        let data = Data(text.utf8) + Data(count: isLarge ? 9 << 20 : 0)
        _ = try await core.submit(command(ByteStream(data)))
        say("accepted \(text)")
    }

    /// Says that a file's contents are about to go; `false` where it is not known which those are.
    private func isOver(_ file: Item) async throws -> Bool {
        guard let copy = try await core.localCopy(of: file.localID) else { return false }
        let text = try LocalFileHandle(reading: copy).read(at: 0, count: 36)
        say("over \(String(decoding: text, as: UTF8.self))")
        return true
    }
}

/// Prints a line, past all buffers.
func say(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
}
