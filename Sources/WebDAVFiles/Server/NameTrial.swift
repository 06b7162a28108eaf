import FileProviding
import Foundation

/// Tests whether a server of which nothing is known keeps names with characters that have a meaning in addresses: some
/// servers cut the name there, or decode it twice. The test uses a file of our own: an item that was created under a
/// wrong name may have replaced somebody else's, and could not be removed again without removing that.
struct NameTrial {
    let provider: WebDAVFileProvider
    /// The directory of the new item.
    let directory: ItemPath

    /// - Throws: `CocoaError(.fileWriteInvalidFileName)` where the server would alter the name of a new item.
    static func run(for path: ItemPath, on provider: WebDAVFileProvider) async throws {
        guard let name = path.lastComponent, let directory = path.parent else { return }
        let signs = try await provider.family(near: path).signs(in: name)
        let trial = NameTrial(provider: provider, directory: directory)
        try await trial.learn(signs.filter { provider.server.keeps(sign: $0) == nil })
        guard let altered = signs.sorted().first(where: { provider.server.keeps(sign: $0) == false }) else { return }
        throw cocoaError(
            path, code: .fileWriteInvalidFileName,
            reason: "the server would alter a name with “\(UnicodeScalar(altered))”")
    }

    private enum Outcome {
        /// No file can be created or moved there: nothing was learned.
        case refused
        case kept, altered
    }

    /// Tries the characters together, and one by one if that goes wrong.
    private func learn(_ signs: Set<UInt8>) async throws {
        guard !signs.isEmpty else { return }
        let outcome = try await outcome(for: signs)
        if outcome != .kept, signs.count > 1 {
            for sign in signs { try await learn([sign]) }
        } else if outcome != .refused {
            provider.server.note(signs, areKept: outcome == .kept)
        }
    }

    private func outcome(for signs: Set<UInt8>) async throws -> Outcome {
        let (temporary, bare) = (directory.appending(TemporaryName.random()), TemporaryName.random())
        let name = ItemName(unchecked: bare.bytes + signs.sorted().flatMap { [$0] + "41".utf8 })
        let put = try provider.request(for: .modify(temporary), overwrite: false, attributes: ItemAttributes())
        guard try await provider.session.data(for: put).0.isSuccess else { return .refused }
        var places = [temporary] + misnomers(of: name, signs)
        let outcome: Outcome
        do {
            outcome = try await move(temporary, to: name)
            if outcome == .kept { places = [directory.appending(name)] }
        } catch {
            await discard(places)
            throw error
        }
        await discard(places)
        return outcome
    }

    private func move(_ temporary: ItemPath, to name: ItemName) async throws -> Outcome {
        let path = directory.appending(name)
        let move = try provider.request(
            for: .move(source: temporary, destination: path), overwrite: false, attributes: ItemAttributes())
        guard try await provider.data(for: move).0.isSuccess else { return .refused }
        do { return try await provider.keptName(of: path) == name ? .kept : .altered } catch
            where !(error is URLError) && !error.isCancellation
        {
            return .altered
        }
    }

    /// Returns the names under which the file may be found instead: each character may have cut the name, and escapes
    /// may have been decoded, or be decoded in addresses only.
    private func misnomers(of name: ItemName, _ signs: Set<UInt8>) -> [ItemPath] {
        let cuts = name.bytes.indices.filter { signs.contains(name.bytes[$0]) } + [name.bytes.count]
        let names = cuts.flatMap { cut in
            let text = String(decoding: name.bytes[..<cut], as: UTF8.self)
            return [text, text.replacing("%41", with: "A"), text.replacing("%", with: "%25")]
        }
        return Set(names).map { directory.appending(ItemName(unchecked: Array($0.utf8))) }
    }

    private func discard(_ paths: [ItemPath]) async {
        for path in paths { await provider.discard(path, isOurs: true) }
    }
}
