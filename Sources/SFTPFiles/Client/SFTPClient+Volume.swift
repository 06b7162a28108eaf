/// A volume as `statvfs@openssh.com` describes it, in bytes.
struct RemoteVolume: Sendable {
    var total: Int64
    var available: Int64
    var used: Int64
    var isReadOnly: Bool
    /// The same for all items of one file system.
    var identifier: UInt64
}

extension SFTPClient {
    /// Returns the volume that holds the item at a path (OpenSSH's PROTOCOL, section 4.4).
    func volume(at path: [UInt8]) async throws -> RemoteVolume {
        let reply = try await call(.statvfs(path)).extended()
        return try reply.withUnsafeBytes { bytes throws(SFTPStatus) in
            do throws(MalformedPacket) {
                var reader = PacketReader(bytes)
                _ = try reader.uint64()
                let (fragment, blocks) = (try reader.uint64(), try reader.uint64())
                let (free, available) = (try reader.uint64(), try reader.uint64())
                for _ in 0..<3 { _ = try reader.uint64() }
                let (identifier, flags) = (try reader.uint64(), try reader.uint64())
                func inBytes(_ count: UInt64) -> Int64 {
                    let (product, overflow) = count.multipliedReportingOverflow(by: fragment)
                    return overflow ? .max : Int64(clamping: product)
                }
                return RemoteVolume(
                    total: inBytes(blocks), available: inBytes(available), used: inBytes(blocks - min(free, blocks)),
                    isReadOnly: flags & 1 != 0, identifier: identifier)
            } catch {
                throw SFTPStatus(rawCode: SFTPStatus.Code.badMessage.rawValue, message: error.reason)
            }
        }
    }
}
