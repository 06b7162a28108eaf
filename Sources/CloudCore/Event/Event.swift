import FileProviding
import Foundation

/// The identifier of a command and of the event that answers it: unique, persistent, the same for all attempts.
public struct EventID: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The identifier's text.
    public let rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a new identifier.
    public init() { self.init(rawValue: UUID().uuidString) }

    /// The same as ``rawValue``.
    public var description: String { rawValue }
}

/// The outcome of a command's operation on the server: what a ``Connection`` reports, delivered at least once and acted
/// on exactly once.
public struct Event: Hashable, Sendable, Codable {
    /// The command's identifier.
    public var id: EventID
    /// The number of the attempt, from 1. The outcome of an attempt that is no longer awaited is ignored.
    public var attempt: Int
    /// The outcome of the operation.
    public var outcome: Outcome

    /// The outcome of an operation.
    public indirect enum Outcome: Hashable, Sendable, Codable {
        /// The operation has been done.
        case done(Result)
        /// The operation has not been done, as far as is known.
        case failed(EventFailure)
    }

    /// The result of an operation.
    public struct Result: Hashable, Sendable, Codable {
        /// The item at its destination, as the server described it afterwards.
        public var item: ServerVersion?
        /// The version of the contents that were sent or fetched; after a move, the version of the contents if they are
        /// still those known before, `nil` if they may not be.
        public var contents: FileVersion?
        /// Whether the item to remove was already gone; it may have been renamed within its directory. `nil` in events
        /// that earlier versions stored.
        public var isFoundGone: Bool?

        /// Creates a result.
        public init(item: ServerVersion? = nil, contents: FileVersion? = nil, isFoundGone: Bool? = nil) {
            self.item = item
            self.contents = contents
            self.isFoundGone = isFoundGone
        }
    }

    /// Creates an event.
    public init(id: EventID, attempt: Int, outcome: Outcome) {
        self.id = id
        self.attempt = attempt
        self.outcome = outcome
    }
}
