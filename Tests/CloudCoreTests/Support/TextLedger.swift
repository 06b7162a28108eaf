import FileProviding
import MemoryFiles
import TestSupport

@testable import CloudCore

/// Which texts there must be on a server or in the recovery folder of a vault: what was accepted, but for what was
/// removed or replaced by somebody who knew of it.
final class TextLedger: Sendable {
    private struct State {
        var accepted: Set<String> = []
        var mayBeGone: Set<String> = []
        var removals: Set<EventID> = []
        var faults: [String] = []
    }

    private let state = Locked(State())
    private let provider: MemoryFileProvider

    init(_ provider: MemoryFileProvider) { self.provider = provider }

    func accept(_ text: String) { state.withLock { _ = $0.accepted.insert(text) } }

    func mayBeGone(_ texts: some Sequence<String>) { state.withLock { $0.mayBeGone.formUnion(texts) } }

    /// Notes by which commands something may be removed.
    func expect(removalsBy ids: some Sequence<EventID>) { state.withLock { $0.removals.formUnion(ids) } }

    /// Notes that something is not to be removed after all.
    func callOff(_ id: EventID) { state.withLock { _ = $0.removals.remove(id) } }

    /// Notes what somebody else removes or replaces.
    func somebodyTakes(_ path: ItemPath) async { mayBeGone(await texts(below: path)) }

    /// Notes what an operation may remove or replace, of what it knows.
    func note(_ operation: ConnectionOperation, of id: EventID) async {
        switch operation {
        case .delete(let item):
            guard let file = try? await provider.attributesOfItem(path: item.path), item.isSameItem(as: file),
                item.version?.matches(file) ?? true
            else { return }
            let texts = await texts(below: item.path)
            state.withLock { state in
                // What was removed with a directory that was lost, and has been sent since, is removed by itself.
                if !state.removals.contains(id), !state.mayBeGone.isSuperset(of: texts) {
                    state.faults.append("nobody has removed \(item.path)")
                }
                state.mayBeGone.formUnion(texts)
            }
        case .upload(let upload):
            guard case .version(let version) = upload.precondition,
                let file = try? await provider.attributesOfItem(path: upload.path), version.matches(file)
            else { return }
            mayBeGone(await texts(below: upload.path))
        case .createFolder, .download, .move, .copy, .update:
            break
        }
    }

    /// What is wrong.
    func faults(recovered: [String]) async -> [String] {
        let present = await Set(texts(below: .root) + recovered)
        return state.withLock { state in
            state.faults
                + state.accepted.subtracting(present).subtracting(state.mayBeGone).sorted().map { "lost: \($0)" }
        }
    }

    private func texts(below path: ItemPath) async -> [String] {
        var texts: [String] = []
        var paths = [path]
        if let below = try? await provider.recursiveListing(path: path).collect() {
            paths = below.filter(\.isRegularFile).map(\.path)
        }
        for path in paths {
            if let data = try? await provider.contents(path: path) {
                texts.append(String(decoding: data, as: UTF8.self))
            }
        }
        return texts
    }
}
