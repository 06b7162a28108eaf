import FileProviders
import Foundation

/// A location from the user, parsed but not opened.
struct Location {
    /// The kinds of locations.
    enum Place {
        /// An item of this machine, from the root of its file system.
        case local(ItemPath)
        /// An item by URL.
        case url(URL)
        /// An item of a saved remote, relative to the remote's directory.
        case remote(name: String, path: ItemPath)
    }

    /// The parsed location.
    let place: Place
    /// What was written.
    let text: [UInt8]

    /// What was written, safe for a message.
    var description: String { ShownName.escaped(text) }

    /// The same for the beginning of a message: with a colon, which a remote's name has already.
    var prefix: String { description.hasSuffix(":") ? description : "\(description):" }

    /// Returns an item of the location's provider as messages and listings name it: in the form in which the location
    /// was written.
    ///
    /// Passed to `fp` again, the result refers to that item.
    ///
    /// - Parameter base: the provider's path of this location.
    func name(of item: ItemPath, base: ItemPath) -> [UInt8] {
        guard item != base else { return text }
        guard let below = item.relative(to: base) else {
            guard case .remote(let name, let path) = place else { return Array(item.description.utf8) }
            let root = path.components.reduce(base) { above, _ in above.parent ?? .root }
            return Array("\(name):".utf8) + (item.relative(to: root) ?? item).bytes
        }
        let relative = if case .url = place { Array(below.percentEncoded.utf8) } else { below.bytes }
        return isJoined ? text + relative : text + [UInt8(ascii: "/")] + relative
    }

    /// Whether a name can be appended to the text without a slash.
    private var isJoined: Bool {
        if case .remote = place, text.last == UInt8(ascii: ":") { return true }
        return text.isEmpty || text.last == UInt8(ascii: "/")
    }
}
