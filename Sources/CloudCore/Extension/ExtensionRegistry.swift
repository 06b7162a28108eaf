import FileProviding

/// The extensions of an app, which keeps this as it keeps its cores: nothing is global.
public final class ExtensionRegistry<Product: Sendable>: Sendable {
    /// An extension that fits, and how well.
    public struct Match: Sendable {
        /// The extension.
        public let found: Extension<Product>
        /// How well it fits.
        public let score: ExtensionScore
    }

    private let extensions = Locked<[Extension<Product>]>([])

    /// A registry without extensions.
    public init() {}

    /// Adds an extension; one of the same type and name is replaced, in its place.
    public func register(_ new: Extension<Product>) {
        extensions.withLock { extensions in
            let known = extensions.firstIndex { $0.type == new.type && $0.identifier == new.identifier }
            if let known { extensions[known] = new } else { extensions.append(new) }
        }
    }

    /// Removes an extension; none is fine.
    public func unregister(_ type: ExtensionType, identifier: String) {
        extensions.withLock { $0.removeAll { $0.type == type && $0.identifier == identifier } }
    }

    /// The extensions that fit, best first; those that fit equally well in the order in which they were registered.
    public func matches(for context: ExtensionContext) -> [Match] {
        let matches = extensions.withLock { extensions in
            extensions.compactMap { one in one.score(in: context).map { Match(found: one, score: $0) } }
        }
        // By position too, since sorting promises no order among equals.
        return matches.enumerated()
            .sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }
            .map(\.element)
    }
}
