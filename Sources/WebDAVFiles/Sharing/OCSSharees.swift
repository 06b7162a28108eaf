import FileProviding

/// The users and groups that match a text, as the sharee search lists them.
struct OCSSharees: Decodable {
    struct Match: Decodable {
        struct Value: Decodable {
            let shareType: Int
            let shareWith: String
        }

        let label: String
        let value: Value
    }

    struct Matches: Decodable {
        let users: [Match]?
        let groups: [Match]?
        let remotes: [Match]?
        let emails: [Match]?
        let circles: [Match]?

        var sharees: [Sharee] {
            [users, groups, remotes, emails, circles].flatMap { $0 ?? [] }.map {
                Sharee(kind: Sharee.Kind(ocs: $0.value.shareType), id: $0.value.shareWith, displayName: $0.label)
            }
        }
    }

    private enum Key: String, CodingKey { case exact }

    /// Exact matches first, each once.
    let sharees: [Sharee]

    init(from decoder: any Decoder) throws {
        let exact = try decoder.container(keyedBy: Key.self).decodeIfPresent(Matches.self, forKey: .exact)
        let all = (exact?.sharees ?? []) + (try Matches(from: decoder)).sharees
        var seen: Set<Sharee> = []
        sharees = all.filter { seen.insert($0).inserted }
    }
}
