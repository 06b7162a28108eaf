import FileProviding

extension WebDAVFileProvider {
    /// Makes sure that a new item has the name that was meant, on servers that guess a name's encoding.
    ///
    /// - Parameter undo: takes the item away again, or back to where it was.
    /// - Throws: `CocoaError(.fileWriteInvalidFileName)` when the server took the name for another.
    func confirmName(_ path: ItemPath, undo: (() async throws -> Void)? = nil) async throws {
        guard try await family(near: path).guessesEncoding, let name = path.lastComponent,
            name.bytes.contains(where: { $0 > 0x7F })
        else { return }
        let (response, data) = try await send(attributesRequest(path: path), for: .fetch(path))
        guard let href = try Multistatus.decode(data, from: response).first?.href else { return }
        let kept = String(decoding: href, as: UTF8.self).split(separator: "/").last.map(String.init) ?? ""
        guard let kept = try? ItemPath(percentEncoded: kept), kept.lastComponent != name else { return }
        if let undo { try await undo() } else { await discard(path) }
        throw cocoaError(
            path, code: .fileWriteInvalidFileName,
            reason: "the server would call it “\(kept.lastComponent?.text ?? "")”")
    }
}
