import FileProviding

/// Directories that may not be what the server has under their paths.
///
/// A directory is listed by its path. If another has taken its place there, the listing is about that one.
extension ItemReader {
    /// Returns whether a directory, or one above it, is missing from its place, or something else has been found there,
    /// and its new place is not known yet.
    func isDisplaced(_ directory: LocalID) throws -> Bool {
        guard try mayHaveDisplaced() else { return false }
        var next = directory
        while next != .root, let item = try item(next), let place = try serverPlace(of: next) {
            if try isMissing(next) { return true }
            if let version = item.newerVersion, !item.isSameItem(as: version) { return true }
            if try place != item.place && hasAnother(at: place, than: next) { return true }
            next = place.parentID
        }
        return false
    }

    /// Returns whether the server has another item, as far as is known, at the place of one that is elsewhere locally.
    private func hasAnother(at place: Place, than id: LocalID) throws -> Bool {
        if let occupant = try item(named: place.name, in: place.parentID), occupant.cloudStatus != .localOnly,
            try !isElsewhere(occupant.localID)
        {
            return true
        }
        return try departed(from: place).map { $0.localID != id } ?? false
    }
}
