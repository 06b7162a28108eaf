import FileProviding

/// Whether a server of which nothing is known keeps names with letters that mean something in addresses: some cut the name
/// there, or decode it twice. Tried with a file of our own: an item that was made under another name than its own may be in
/// the place of somebody else's, and could not be taken away again without taking that.
struct NameTrial {
    let provider: WebDAVFileProvider
    /// The directory of the new item.
    let directory: ItemPath

    /// - Throws: `CocoaError(.fileWriteInvalidFileName)` where the server would alter the name of a new item.
    static func run(for path: ItemPath, on provider: WebDAVFileProvider) async throws {
        guard let name = path.lastComponent, let directory = path.parent else { return }
        let signs = try await provider.family(near: path).signs(in: name)
        let trial = NameTrial(provider: provider, directory: directory)
        try await trial.learn(signs.filter { provider.server.keptSigns[$0] == nil })
        guard let altered = signs.sorted().first(where: { provider.server.keptSigns[$0] == false }) else { return }
        throw cocoaError(
            path, code: .fileWriteInvalidFileName,
            reason: "the server would alter a name with “\(UnicodeScalar(altered))”")
    }

    /// Tries the letters together, and where that goes wrong one by one.
    private func learn(_ signs: Set<UInt8>) async throws {
        guard !signs.isEmpty, let areKept = try await keeps(signs) else { return }
        guard areKept || signs.count == 1 else {
            for sign in signs { try await learn([sign]) }
            return
        }
        for sign in signs { provider.server.keptSigns[sign] = areKept }
    }

    /// - Returns: `nil` where no file can be made at all.
    private func keeps(_ signs: Set<UInt8>) async throws -> Bool? {
        let plain = TemporaryName.random()
        let name = ItemName(unchecked: plain.bytes + signs.sorted().flatMap { [$0] + "41".utf8 })
        let (temporary, odd) = (directory.appending(plain), directory.appending(name))
        let put = try provider.request(for: .modify(temporary), overwrite: false, attributes: ItemAttributes())
        guard try await provider.session.data(for: put).0.isSuccess else { return nil }
        let move = try provider.request(
            for: .move(source: temporary, destination: odd), overwrite: false, attributes: ItemAttributes())
        let isMoved = try await provider.data(for: move).0.isSuccess
        let isKept = isMoved ? (try? await provider.keptName(of: odd)) == name : false
        await provider.discard(odd)
        if !isKept {
            // As the server may have called it.
            let decoded = String(decoding: name.bytes, as: UTF8.self).replacing("%41", with: "A")
            for other in [plain, ItemName(unchecked: Array(decoded.utf8))] {
                await provider.discard(directory.appending(other))
            }
        }
        return isKept
    }
}
