import FileProviding

/// The extensions of an app, which holds this object as it holds its cores: nothing is global.
public final class ExtensionRegistry<Product: Sendable>: Sendable {
    /// A matching extension and its score.
    public struct Match: Sendable {
        /// The extension.
        public let found: Extension<Product>
        /// The extension's score.
        public let score: ExtensionScore
    }

    private let extensions = Locked<[Extension<Product>]>([])

    /// Creates a registry without extensions.
    public init() {}

    /// Adds an extension; one of the same type and name is replaced, at the same position.
    public func register(_ new: Extension<Product>) {
        extensions.withLock { extensions in
            let known = extensions.firstIndex { $0.type == new.type && $0.identifier == new.identifier }
            if let known { extensions[known] = new } else { extensions.append(new) }
        }
    }

    /// Removes an extension; does nothing if there is none.
    public func unregister(_ type: ExtensionType, identifier: String) {
        extensions.withLock { $0.removeAll { $0.type == type && $0.identifier == identifier } }
    }

    /// Returns the matching extensions, best first; those that match equally well are in the order in which they were
    /// registered.
    public func matches(for context: ExtensionContext) -> [Match] {
        let matches = extensions.withLock { extensions in
            extensions.compactMap { one in one.score(in: context).map { Match(found: one, score: $0) } }
        }
        // By position too, since sorting does not guarantee any order among equals.
        return matches.enumerated()
            .sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }
            .map(\.element)
    }
}
