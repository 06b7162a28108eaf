import FileProviding
import Foundation

/// A problem that a core does not resolve by itself: what has happened, and the possible answers, each with its
/// consequence.
///
/// Issues are stored in the vault until they are answered or their cause is gone, so that they outlive the program;
/// except failures of the vault's own files, which only the running core knows of. The same problem occurring again is
/// the same issue.
public struct Issue: Sendable, Hashable, Identifiable {
    /// What has happened, and to which item.
    public struct ID: Sendable, Hashable {
        /// What has happened.
        public var kind: Kind
        /// The item that it is about, or `nil` for the vault.
        public var item: LocalID?

        /// Creates the identifier of an issue of this kind about an item, or about the vault.
        public init(_ kind: Kind, about item: LocalID? = nil) {
            self.kind = kind
            self.item = item
        }
    }

    /// What has happened, and to which item.
    public let id: ID
    /// One sentence for display, with the numbers and names concerned.
    public var detail: String
    /// When the problem first occurred.
    public var raisedAt: FileTime
    /// What the issue is about, if the kind alone does not tell.
    public var subject: Subject?

    /// Creates an issue by hand, for tests of what shows issues and of a delegate.
    public init(id: ID, detail: String, raisedAt: FileTime, subject: Subject? = nil) {
        self.id = id
        self.detail = detail
        self.raisedAt = raisedAt
        self.subject = subject
    }

    /// The possible answers: those of the kind's choices that apply.
    public var choices: [Choice] {
        id.kind.choices.filter { subject != nil || ![.trust, .follow].contains($0.answer) }
    }

    /// The subject of an issue, for a user to inspect.
    public enum Subject: Sendable, Hashable, Codable {
        /// The certificate that is not trusted.
        case certificate(ServerCertificate)
        /// The server's new address.
        case address(URL)
    }

    /// One possible answer.
    public struct Choice: Sendable, Hashable {
        /// The answer.
        public var answer: Answer
        /// The consequence, in a sentence for display.
        public var consequence: String
    }

    /// An answer to an issue.
    public enum Answer: String, Sendable, Codable, CaseIterable {
        /// Make the vault match the server.
        case takeServer = "take-server"
        /// Keep the local version, and send it to the server again.
        case keepLocal = "keep-local"
        /// Keep both versions, one under another name.
        case keepBoth = "keep-both"
        /// Replace the server's version by the local one.
        case replace
        /// Undo the local change.
        case cancel
        /// Try again.
        case retry
        /// Trust this certificate for its host from now on, and no other one that cannot be verified.
        case trust
        /// Use the new address.
        case follow
        /// Acknowledge the issue; nothing is done.
        case acknowledge
    }
}

extension Issue.ID: CustomStringConvertible {
    /// The kind and, after a colon, the item: one word, as a user types it.
    public var description: String { kind.rawValue + (item.map { ":\($0)" } ?? "") }

    /// Parses a ``description``; `nil` for any other text.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let kind = Issue.Kind(rawValue: String(parts[0])) else { return nil }
        guard parts.count == 2 else {
            self.init(kind)
            return
        }
        guard let item = Int64(parts[1]) else { return nil }
        self.init(kind, about: LocalID(rawValue: item))
    }
}
