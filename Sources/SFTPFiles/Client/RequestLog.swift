import Foundation
import Logging

/// A connection's logging: a debug line for each request, a trace line for each that reads or writes a piece of a file.
/// The pieces themselves are not shown.
struct RequestLog {
    private let logger = Logger(label: "SFTPFiles")
    private let isLogging: Bool
    private let server: String

    init(_ url: URL) {
        isLogging = logger.logLevel <= .debug
        server = url.host() ?? ""
    }

    /// Logs a request that is being sent as this packet.
    func note(_ packet: [UInt8]) {
        guard isLogging, let request = try? self.request(packet) else { return }
        let level: Logger.Level = request.type == .read || request.type == .write ? .trace : .debug
        var metadata: Logger.Metadata = ["server": "\(server)", "request": "\(request.type)"]
        if let path = request.path { metadata["path"] = "\(path.debugDescription)" }
        logger.log(level: level, "SFTP request", metadata: metadata)
    }

    /// Returns the type of a request, and its first path if it has one.
    private func request(_ packet: [UInt8]) throws -> (type: PacketType, path: String?)? {
        try packet.withUnsafeBytes { bytes in
            var reader = PacketReader(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(4)))
            guard let type = PacketType(rawValue: try reader.byte()) else { return nil }
            switch type {
            case .open, .lstat, .stat, .setstat, .opendir, .remove, .mkdir, .rmdir, .realpath, .rename, .readlink,
                .symlink:
                _ = try reader.uint32()
                return (type, String(decoding: try reader.string(), as: UTF8.self))
            default: return (type, nil)
            }
        }
    }
}
