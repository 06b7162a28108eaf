import FileProviding
import Foundation

/// A write that has begun and waits for the second part of its bytes.
struct HeldWrite: Sendable {
    /// The final contents of the file.
    static let bytes = first + rest

    /// The write; it has already ended if it failed before it requested the second part.
    let task: Task<FileObject, any Error>
    private let gate: Outcome<Void>

    private static let first = sample(800_000)
    private static let rest = sample(10, seed: 7)

    /// Begins a write, and returns when it waits for more or has ended.
    init(to path: ItemPath, of provider: any FileProviderReadWrite, overwrite: Bool = false) async {
        let (gate, isHeld) = (Outcome<Void>(), Outcome<Void>())
        let source = ByteStream.held(Self.first, until: gate, then: Self.rest) { isHeld.open() }
        self.gate = gate
        task = Task {
            defer { isHeld.open() }
            return try await provider.write(path: path, from: source, options: OperationOptions(overwrite: overwrite))
        }
        await isHeld.value
    }

    /// Lets the second part through and waits for the end.
    @discardableResult
    func finish() async throws -> FileObject {
        gate.open()
        return try await task.value
    }
}

/// A barrier at which racing writers wait in the middle of their sources until all of them are there, have failed, or
/// have had enough time: a provider may let one writer begin only when another has ended.
final class StartingLine: Sendable {
    let gate = Outcome<Void>()
    private let missing: Locked<Set<Int>>

    init(writers: Range<Int>) { missing = Locked(Set(writers)) }

    /// Reports that a writer waits, or has ended.
    func arrive(_ writer: Int) {
        let isComplete = missing.withLock { missing in
            missing.remove(writer)
            return missing.isEmpty
        }
        if isComplete { gate.open() }
    }

    /// Opens the barrier when everybody has had enough time to arrive.
    func openLate() async {
        try? await Task.sleep(for: .seconds(2))
        gate.open()
    }
}
