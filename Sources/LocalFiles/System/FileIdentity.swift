/// Distinguishes an item of this machine from every other.
struct FileIdentity: Hashable, Codable {
    var device: UInt64
    var inode: UInt64
}
