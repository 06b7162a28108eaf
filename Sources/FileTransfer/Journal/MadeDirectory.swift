import FileProviding

/// A directory that a transfer creates, as the journal knows it: the attributes that it gets at the end, when nothing
/// is put into it any more.
struct MadeDirectory: Codable, Sendable {
    /// The path of the original if it is moved within one storage; its modification time changes as its members are
    /// removed.
    var source: ItemPath?
    var target: ItemPath
    /// The original's attributes when its turn came.
    var attributes: ItemAttributes
}
