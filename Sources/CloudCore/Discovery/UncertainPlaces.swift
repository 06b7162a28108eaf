import FileProviding

/// What commands are about whose outcome is not known: they are under way, or were when the way to the server broke or the
/// program ended.
struct UncertainPlaces {
    private var items: Set<LocalID> = []
    private var places: Set<Place> = []

    init() {}

    init(_ records: [SyncRecord], _ reader: ItemReader) throws {
        for record in records {
            items.insert(record.itemID)
            places.formUnion(record.places)
            if let place = try reader.serverPlace(of: record.itemID) { places.insert(place) }
        }
    }

    var isEmpty: Bool { items.isEmpty }

    /// Whether one of them may have something at a place of the server's.
    func contain(_ place: Place) -> Bool { places.contains(place) }

    /// Whether an item at a place of the server's, or a directory above it, is among them.
    func contain(_ item: LocalID, at place: Place, _ reader: ItemReader) throws -> Bool {
        if isEmpty { return false }
        if items.contains(item) || places.contains(place) { return true }
        var next: LocalID? = place.parentID
        while let directory = next, directory != .root {
            if items.contains(directory) { return true }
            next = try reader.serverPlace(of: directory)?.parentID
        }
        return false
    }
}

extension ItemReader {
    func uncertainPlaces() throws -> UncertainPlaces { try UncertainPlaces(recordsInDoubt(), self) }
}
