import Foundation

/// A change as OpenCloud reports it: by identifiers, without paths.
struct CloudEvent: Sendable, Equatable {
    /// What happened.
    enum Kind: Sendable, Equatable {
        /// An item is new, or has other contents.
        case written
        /// An item has another name in the same directory.
        case renamed
        /// An item is in another directory.
        case moved
        /// An item is gone.
        case removed
    }

    let kind: Kind
    /// The item's `oc:id`.
    let item: String
    /// The directory that it is or was in.
    let parent: String?
    /// The space.
    let space: String?

    private struct Payload: Decodable {
        let itemid: String
        let parentitemid: String?
        let spaceid: String?
    }

    /// - Returns: `nil` for an event that is not a change to files, such as a new share.
    /// - Throws: `DecodingError` for a change that does not name its item.
    init?(_ event: ServerSentEvents.Event) throws {
        switch event.name {
        case "postprocessing-finished", "folder-created", "file-touched", "item-restored": kind = .written
        case "item-renamed": kind = .renamed
        case "item-moved": kind = .moved
        case "item-trashed": kind = .removed
        default: return nil
        }
        let payload = try JSONDecoder().decode(Payload.self, from: Data(event.data.utf8))
        item = payload.itemid
        parent = payload.parentitemid.flatMap { $0.isEmpty ? nil : $0 }
        space = payload.spaceid.flatMap { $0.isEmpty ? nil : $0 }
    }
}
