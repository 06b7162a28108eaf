import FileProviding

/// What a sync record does, with the arguments that its item does not contain. `Codable` for vaults from before
/// migration 9.
indirect enum SyncAction: Hashable, Sendable, Codable {
    /// Create the directory there.
    case createFolder(Place)
    /// Send this copy: to this place as a new file, or with `nil` as the contents of a file that the server has.
    case upload(LocalCopy, to: Place?)
    /// Fetch the contents.
    case download
    /// Move or rename.
    case move(from: Place, to: Place)
    /// Make the item a copy of another one.
    case copy(LocalID, to: Place)
    /// Set these attributes of the item while it is in this version or, with `nil`, in whatever version it is by then.
    /// The time that it had before is shown again if that is not possible.
    case update(ItemAttributes, of: FileVersion?, before: FileTime?)
    /// Remove.
    case delete(from: Place)

    var kind: SyncRecord.Kind {
        switch self {
        case .createFolder: .createFolder
        case .upload: .upload
        case .download: .download
        case .move: .move
        case .copy: .copy
        case .update: .update
        case .delete: .delete
        }
    }

    var places: [Place] {
        switch self {
        case .createFolder(let place), .copy(_, let place), .delete(let place): [place]
        case .upload(_, let place): place.map { [$0] } ?? []
        case .move(let old, let new): [old, new]
        case .download, .update: []
        }
    }

    /// Whether the server gets an item that it did not have, at the only one of ``places``.
    var makesItem: Bool {
        switch self {
        case .createFolder, .copy, .upload(_, to: .some): true
        case .upload, .download, .move, .update, .delete: false
        }
    }

    /// The place where it creates its item or moves it to.
    var target: Place? { makesItem || kind == .move ? places.last : nil }

    /// Returns the same action with another place for what it creates or moves; `nil` if it does neither.
    func placed(at place: Place) -> SyncAction? {
        switch self {
        case .createFolder: .createFolder(place)
        case .upload(let copy, _): .upload(copy, to: place)
        case .move(let old, _): .move(from: old, to: place)
        case .copy(let source, _): .copy(source, to: place)
        case .download, .update, .delete: nil
        }
    }

    /// Another item that must not change in the meantime.
    var source: LocalID? { if case .copy(let source, _) = self { source } else { nil } }

    /// The contents to send.
    var copy: LocalCopy? { if case .upload(let copy, _) = self { copy } else { nil } }
}
