import FileProviding

/// What commands with an unknown outcome are about: they are in progress, or were when the connection to the server
/// broke or the program ended.
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

    /// Returns whether one of them may have put something at a place on the server.
    func contain(_ place: Place) -> Bool { places.contains(place) }

    /// Returns whether an item at a place on the server, or a directory above it, is among them.
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
