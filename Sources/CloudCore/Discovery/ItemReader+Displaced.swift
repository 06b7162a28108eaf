import FileProviding

/// Directories that may not be what the server has under their paths.
///
/// A directory is listed by its path. When another has come in its place there, what the listing tells is about that one.
extension ItemReader {
    /// Whether a directory, or one above it, was missing where it had been, or something else has been found there, and what
    /// has become of it is not known yet.
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

    /// Whether the server has another item, as far as is known, at the place of one that is elsewhere here.
    private func hasAnother(at place: Place, than id: LocalID) throws -> Bool {
        if let occupant = try item(named: place.name, in: place.parentID), occupant.cloudStatus != .localOnly,
            try !isElsewhere(occupant.localID)
        {
            return true
        }
        return try departed(from: place).map { $0.localID != id } ?? false
    }
}
