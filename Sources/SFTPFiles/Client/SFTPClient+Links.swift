import FileProviding

extension SFTPClient {
    /// The number of links along one path that is treated as a cycle.
    private static let mostLinks = 40

    /// Returns where a path below a root leads when links are followed; `nil` if that is not inside the root.
    ///
    /// Takes one round trip, unless there is a link and the server's REALPATH only normalizes its argument.
    func resolve(_ path: ItemPath, in root: [UInt8]) async throws -> [UInt8]? {
        let place = root.joined(path.bytes)
        let way = traits.resolvesLinks ? [] : way(to: path, from: root)
        let replies = try await callAll([.realpath(place)] + way.map { .readlink($0) })
        var resolved = try replies[0].names().first?.name
        if resolved == place, zip(replies.dropFirst(), way).contains(where: { $0.target(of: $1) != nil }) {
            resolved = try await follow(path, in: root)
        }
        return resolved.flatMap { $0.isInside(root) ? $0 : nil }
    }

    /// Returns the items along a path, including the last.
    private func way(to path: ItemPath, from root: [UInt8]) -> [[UInt8]] {
        var place = root
        return path.components.map { name in
            place = place.joined(name.bytes)
            return place
        }
    }

    /// Follows links one by one; returns `nil` for a link that leads out of the root, even temporarily, and for a
    /// cycle.
    private func follow(_ path: ItemPath, in root: [UInt8]) async throws -> [UInt8]? {
        var (way, links) = ([[UInt8]](), 0)
        var rest = Array(path.components.map(\.bytes).reversed())
        while let name = rest.popLast() {
            if name == Array("..".utf8) {
                guard way.popLast() != nil else { return nil }
            } else if name != Array(".".utf8) {
                let place = way.reduce(root) { $0.joined($1) }.joined(name)
                guard var target = try? await call(.readlink(place)).target(of: place) else {
                    way.append(name)
                    continue
                }
                links += 1
                guard links <= Self.mostLinks else { return nil }
                if target.first == UInt8(ascii: "/") {
                    guard target.isInside(root) else { return nil }
                    (way, target) = ([], Array(target.dropFirst(root.count)))
                }
                rest += target.split(separator: UInt8(ascii: "/")).reversed().map { Array($0) }
            }
        }
        return way.reduce(root) { $0.joined($1) }
    }
}
