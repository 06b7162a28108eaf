/// What scans have found gone or gone back, and not yet taken over.
struct Losses: Sendable {
    /// How many items the server has that are known, the root aside.
    var known = 0
    /// How many of them are gone, those below a directory that is gone too.
    var gone = 0
    /// How many that are gone have a copy here.
    var goneCopies = 0
    /// How many are there in an earlier version than the copy here was made from.
    var older = 0
    /// How many have another item in their place.
    var replaced = 0
    /// Whether a directory has shown that the server is as it was earlier.
    var serverWentBack = false

    var isEmpty: Bool { gone == 0 && older == 0 && replaced == 0 }

    /// The issue to be raised; `nil` when this is what another client does on an ordinary day.
    var issue: Issue.Kind? {
        if isEmpty { return nil }
        if gone == known, gone >= 10 || goneCopies > 0 { return .itemsVanished }
        if serverWentBack || older > 0 || replaced >= 10 { return .serverWentBack }
        return gone > known / 2 && (gone >= 50 || goneCopies >= 10) ? .itemsVanished : nil
    }

    /// What it comes to, in a sentence for people.
    var detail: String {
        var parts: [String] = []
        if gone > 0 {
            parts.append("the server no longer has \(gone) of \(known) items, \(goneCopies) with a copy here")
        }
        if older > 0 { parts.append("the server has earlier versions of \(older) items") }
        if replaced > 0 { parts.append("the server has other items in the place of \(replaced)") }
        return parts.joined(separator: "; ")
    }
}
