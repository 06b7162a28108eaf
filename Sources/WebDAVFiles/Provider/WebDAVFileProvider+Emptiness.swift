import FileProviding
import Foundation
import HTTPFiles

/// Whether a directory has nothing in it: DELETE removes what is in it too (RFC 4918, section 9.6.1), whether the
/// server has listed it or not.
extension WebDAVFileProvider {
    /// Throws if something is in a directory, or may be without being listed.
    func requireEmpty(_ path: ItemPath) async throws {
        let isEmpty: Bool
        do { isEmpty = try await hasNoMembers(path) } catch {
            // Servers refuse in many ways to list a file.
            guard try await attributesOfItem(path: path).isDirectory else { return }
            throw error
        }
        guard isEmpty else { throw FileError.notEmpty(path) }
        guard try await listsHiddenNames(in: path) else {
            throw FileError.unsupported(
                path, "the server does not list all names, so something may be in the directory")
        }
    }

    /// Returns whether a listing has nothing but the directory itself: no unfinished uploads either, and nothing whose
    /// name the server could not write.
    private func hasNoMembers(_ path: ItemPath) async throws -> Bool {
        let request = try pageRequest(path: path, token: nil)
        let (response, data) = try await send(request, for: .fetch(path))
        var decoder = MultistatusPageDecoder(url: request.url, path: path)
        decoder.begin(response)
        let hasEntries = try !decoder.consume(data).isEmpty
        let end = try decoder.finish()
        guard !hasEntries, end.entries.isEmpty, end.nextToken == nil else { return false }
        return try Multistatus.decode(data, from: response).count <= 1
    }

    /// Returns whether the server lists names that begin with a dot. One of which nothing is known is tried once, in a
    /// directory that seems empty; one that refuses such a name may hide others.
    private func listsHiddenNames(in directory: ItemPath) async throws -> Bool {
        let family = try await family(near: directory)
        guard !family.unfitNames.contains(.leadingDot) else { return false }
        if family.keepsNames { return true }
        if let known = server.listsHiddenNames { return known }
        let trial = directory.appending(TemporaryName.random())
        let put = try request(for: .modify(trial), overwrite: false, attributes: ItemAttributes())
        guard try await session.data(for: put).0.isSuccess else { return false }
        let isListed: Bool
        do { isListed = try await !hasNoMembers(directory) } catch {
            await discard(trial, isOurs: true)
            throw error
        }
        await discard(trial, isOurs: true)
        server.listsHiddenNames = isListed
        return isListed
    }
}
