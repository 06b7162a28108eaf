import FileProviders
import Foundation

/// A place that the person named, understood but not opened.
struct Location {
    /// What kind of place it is.
    enum Place {
        /// An item of this machine, from the root of its file system.
        case local(ItemPath)
        /// An item by URL.
        case url(URL)
        /// An item of a saved remote, from the directory that the remote begins at.
        case remote(name: String, path: ItemPath)
    }

    /// What was meant.
    let place: Place
    /// What was written.
    let text: [UInt8]

    /// What was written, fit for a message.
    var description: String { ShownName.escaped(text) }

    /// This location as a message or a listing names an item of its provider: in the form that was written.
    ///
    /// The result means that item when it is given to `fp` again.
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

    /// Whether a name can be put behind the text without a slash.
    private var isJoined: Bool {
        if case .remote = place, text.last == UInt8(ascii: ":") { return true }
        return text.isEmpty || text.last == UInt8(ascii: "/")
    }
}
