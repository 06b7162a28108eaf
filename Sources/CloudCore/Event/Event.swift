import FileProviding
import Foundation

/// The name of one command and of the event that answers it: unique, persistable, the same for all attempts.
public struct EventID: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name's text.
    public let rawValue: String

    /// The identifier of this text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A new identifier.
    public init() { self.init(rawValue: UUID().uuidString) }

    /// The same as ``rawValue``.
    public var description: String { rawValue }
}

/// How a command's operation ended on the server: what a ``Connection`` answers, delivered at least once and acted on
/// exactly once.
public struct Event: Hashable, Sendable, Codable {
    /// Which command.
    public var id: EventID
    /// Which attempt at it, from 1. The outcome of an attempt that is no longer awaited is not acted on.
    public var attempt: Int
    /// How it ended.
    public var outcome: Outcome

    /// How an operation ended.
    public enum Outcome: Hashable, Sendable, Codable {
        /// It has been done.
        case done(Result)
        /// It has not been done, as far as is known.
        case failed(EventFailure)
    }

    /// What an operation has led to.
    public struct Result: Hashable, Sendable, Codable {
        /// The item at its destination, as the server described it afterwards.
        public var item: ServerVersion?
        /// The version of the contents that were sent or fetched; after a move the version of contents that are still those
        /// known before, `nil` where they may not be.
        public var contents: FileVersion?

        /// What is known after an operation.
        public init(item: ServerVersion? = nil, contents: FileVersion? = nil) {
            self.item = item
            self.contents = contents
        }
    }

    /// The end of an attempt.
    public init(id: EventID, attempt: Int, outcome: Outcome) {
        self.id = id
        self.attempt = attempt
        self.outcome = outcome
    }
}
