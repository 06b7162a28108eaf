import FileProviding

/// What scans have found gone or gone back, and not yet merged.
struct Losses: Sendable {
    /// The number of items that the server had when nothing was lost yet, not counting the root.
    var known = 0
    /// The number of them that are gone, including those below a directory that is gone.
    var gone = 0
    /// The number of others that were not judged, since commands about them, or about a directory above, may be at work
    /// on the server.
    var unjudged = 0
    /// The number of gone items that have a local copy.
    var goneCopies = 0
    /// The number of items that exist in an earlier version than the local copy was made from.
    var older = 0
    /// Where the first of them are.
    var olderPaths: [ItemPath] = []
    /// The number of items that have another item in their place.
    var replaced = 0
    /// What shows that the server is in an earlier state.
    var earlierState = EarlierState.none

    /// Whether a directory has shown that the server is in an earlier state, as after a backup was restored.
    enum EarlierState: Int64, Sendable {
        case none = 0
        /// A known directory has an earlier time, or the server's root is another one.
        case certain = 1
        /// What has the name of a known directory has an earlier time; it may be another one.
        case byName = 2
    }

    var isEmpty: Bool { gone == 0 && older == 0 && replaced == 0 }

    /// The issue to be raised; `nil` when this is what another client does on an ordinary day.
    var issue: Issue.Kind? {
        if isEmpty { return nil }
        // Nothing was seen that is still there; the only file may have become another one.
        let seen = known - gone - unjudged
        if seen == 0, gone >= 10 || goneCopies > min(unjudged, 1) { return .itemsVanished }
        // Next to nothing was seen, which may have been put there since.
        if seen * 4 <= gone, gone > unjudged, gone >= 5, goneCopies > 0 { return .itemsVanished }
        let wentBack = earlierState == .certain || earlierState == .byName && goneCopies > 0
        if wentBack || older > 0 || replaced >= 10 { return .serverWentBack }
        return gone > known / 2 && (gone >= 50 || goneCopies >= 10) ? .itemsVanished : nil
    }

    /// A summary, in a sentence for display.
    var detail: String {
        var parts: [String] = []
        if gone > 0 {
            parts.append("the server no longer has \(gone) of \(known) items, \(goneCopies) with a copy here")
        }
        if older > 0 {
            let names = olderPaths.map(\.description) + (older > olderPaths.count ? ["…"] : [])
            let items = older == 1 ? "an earlier version of 1 item" : "earlier versions of \(older) items"
            parts.append("the server has \(items) (\(names.joined(separator: ", ")))")
        }
        if replaced > 0 { parts.append("the server has other items in the place of \(replaced)") }
        return parts.joined(separator: "; ")
    }
}
