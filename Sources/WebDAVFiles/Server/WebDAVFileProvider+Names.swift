import FileProviding
import Foundation

extension WebDAVFileProvider {
    /// Checks a name by what is known about the server's family; a server with further rules reports them when the item
    /// is created.
    public func checkName(ofNew path: ItemPath, isDirectory: Bool) async throws {
        try await family(near: path).checkName(path, isDirectory: isDirectory)
    }

    /// Checks that a new item has the intended name, on servers that guess a name's encoding.
    ///
    /// - Parameter undo: removes the item again, or moves it back to where it was.
    /// - Throws: `CocoaError(.fileWriteInvalidFileName)` when the server misread the name.
    func confirmName(_ path: ItemPath, undo: (() async throws -> Void)? = nil) async throws {
        let family = try await family(near: path)
        guard let name = path.lastComponent, family.mayGuess(name), let kept = try await keptName(of: path),
            kept != name
        else { return }
        if let undo { try await undo() } else { await discard(path) }
        throw cocoaError(
            path, code: .fileWriteInvalidFileName, reason: "the server would call it “\(kept.text)”")
    }

    /// Returns the name that the server has for an item.
    func keptName(of path: ItemPath) async throws -> ItemName? {
        let (response, data) = try await send(attributesRequest(path: path), for: .fetch(path))
        return try Multistatus.decode(data, from: response).first?.name
    }

    /// Looks up an item before it is changed, if the server may mistake it for another one.
    func checkName(of path: ItemPath) async throws {
        guard let name = path.lastComponent, try await !family(near: path).signs(in: name).isEmpty else { return }
        _ = try await attributesOfItem(path: path)
    }

    /// Throws for a reply about another item than requested: some servers cut names, and a write or removal would
    /// affect that other item; Apache's MultiViews answers for a missing name with a longer one.
    func checkSame(_ path: ItemPath, _ response: MultistatusResponse) throws {
        guard server.cloud == nil, let name = path.lastComponent, let told = response.name, told.isAnother(than: name)
        else { return }
        if told.text.hasPrefix(name.text + ".") { throw FileError.noSuchFile(path) }
        guard server.family?.keepsNames != true else { return }
        throw cocoaError(
            path, code: .fileReadInvalidFileName, reason: "the server takes it for “\(told.text)”")
    }
}

extension ItemName {
    /// Returns whether this is a different name, however a storage treats case and composed characters.
    fileprivate func isAnother(than name: ItemName) -> Bool {
        self != name && text.lowercased() != name.text.lowercased()
    }
}

extension MultistatusResponse {
    /// The last name in the URL.
    fileprivate var name: ItemName? {
        let reference = href.withUnsafeBytes { String(decoding: DAVText.trimmed($0), as: UTF8.self) }
        let last = reference.split(separator: "/").last.map(String.init) ?? ""
        return (try? ItemPath(percentEncoded: last))?.lastComponent
    }
}
