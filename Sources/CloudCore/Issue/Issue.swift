import FileProviding
import Foundation

/// Something that a core does not settle by itself: what has happened, and what can be answered, each with its consequence.
///
/// Issues lie in the vault until they are answered or their reason is gone, so that they outlive the program that met them;
/// but for trouble with the vault's own files, which only the running core knows of. The same trouble met again is the same
/// issue.
public struct Issue: Sendable, Hashable, Identifiable {
    /// What has happened, and to what.
    public struct ID: Sendable, Hashable {
        /// What has happened.
        public var kind: Kind
        /// The item that it is about, or `nil` for the vault.
        public var item: LocalID?

        /// The issue of this kind about an item, or about the vault.
        public init(_ kind: Kind, about item: LocalID? = nil) {
            self.kind = kind
            self.item = item
        }
    }

    /// What has happened, and to what.
    public let id: ID
    /// One sentence for people, with the numbers and names that it is about.
    public var detail: String
    /// When it was first met.
    public var raisedAt: FileTime
    /// What it is about, where the kind alone does not tell.
    public var subject: Subject?

    /// What can be answered: of the kind's choices those that what is known allows.
    public var choices: [Choice] {
        id.kind.choices.filter { subject != nil || ![.trust, .follow].contains($0.answer) }
    }

    /// What an issue is about, for a person to look at.
    public enum Subject: Sendable, Hashable, Codable {
        /// The certificate that is not trusted.
        case certificate(ServerCertificate)
        /// Where the server says that it is.
        case address(URL)
    }

    /// One possible answer.
    public struct Choice: Sendable, Hashable {
        /// What to answer.
        public var answer: Answer
        /// What that does, in a sentence for people.
        public var consequence: String
    }

    /// What to do about an issue.
    public enum Answer: String, Sendable, Codable, CaseIterable {
        /// Let the vault be as the server is.
        case takeServer = "take-server"
        /// Keep what is here, and bring it to the server again.
        case keepLocal = "keep-local"
        /// Both versions stay, one under another name.
        case keepBoth = "keep-both"
        /// What was done here takes the place of what the server has.
        case replace
        /// What was done here is taken back.
        case cancel
        /// Try again.
        case retry
        /// Trust this certificate for its host from now on, and of those that do not verify no other.
        case trust
        /// Take the new address.
        case follow
        /// It has been read; nothing is to be done.
        case acknowledge
    }
}

extension Issue.ID: CustomStringConvertible {
    /// The kind, and behind a colon the item: one word, as a person types it.
    public var description: String { kind.rawValue + (item.map { ":\($0)" } ?? "") }

    /// What ``description`` says; `nil` for any other text.
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
