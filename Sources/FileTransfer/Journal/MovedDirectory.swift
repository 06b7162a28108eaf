import FileProviding

/// A directory created while moving within one storage, as the journal knows it: the attributes that it gets at the end,
/// when nothing is put into it any more.
struct MovedDirectory: Codable, Sendable {
    /// The path of the original, whose modification time changes as its members are removed.
    var source: ItemPath
    var target: ItemPath
    /// The original's attributes when its move began.
    var attributes: ItemAttributes
}
