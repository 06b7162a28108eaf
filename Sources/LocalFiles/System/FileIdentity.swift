/// Identifies an item on this machine.
struct FileIdentity: Hashable, Codable {
    var device: UInt64
    var inode: UInt64
}
