import Crypto
import FileProviding
import Foundation
import Glibc

/// The hosts that a user or administrator knows, by their keys: OpenSSH's `known_hosts` files (sshd(8),
/// "SSH_KNOWN_HOSTS FILE FORMAT"), plain and hashed, with patterns, ports and markers.
struct KnownHosts: Sendable {
    /// The result of checking a host's key.
    enum Verdict: Equatable {
        /// The key is known to be the host's.
        case known
        /// The host is not known.
        case unknown
        /// The host has other keys, the ones given, of this or another type.
        case changed([SSHHostKey])
        /// The key was revoked by the user or administrator.
        case revoked
        /// The host's key is certified by an authority, which this transport cannot check.
        case authorityOnly
    }

    private let entries: [KnownHostsEntry]
    private let files: [LocalPath]

    /// Reads the given files, or the usual ones. A missing file contains no hosts.
    ///
    /// - Throws: when one cannot be read. It may have another key for the host, or a revoked one.
    init(_ files: [LocalPath]?) throws {
        self.files = files ?? Self.usualFiles
        entries = try self.files.flatMap { file -> [KnownHostsEntry] in
            guard let data = try PrivateFile.read(file, limit: 16 << 20) else { return [] }
            return data.split(separator: UInt8(ascii: "\n")).compactMap { KnownHostsEntry(line: Array($0)) }
        }
    }

    private static var usualFiles: [LocalPath] {
        let home = FileManager.default.homeDirectoryForCurrentUser.path(percentEncoded: false)
        return [
            LocalPath(home).appending(".ssh/known_hosts"), LocalPath(home).appending(".ssh/known_hosts2"),
            LocalPath("/etc/ssh/ssh_known_hosts"),
        ]
    }

    /// Returns what is known about the key.
    func verdict(on key: SSHHostKey) -> Verdict {
        let meant = entries.filter { $0.names(key.host) }
        if meant.contains(where: { $0.mark == .revoked && $0.blob == key.blob }) { return .revoked }
        let plain = meant.filter { $0.mark == nil }
        if plain.contains(where: { $0.blob == key.blob }) { return .known }
        if !plain.isEmpty {
            return .changed(
                plain.map { SSHHostKey(host: key.host, algorithm: $0.algorithm, blob: $0.blob) })
        }
        return meant.contains { $0.mark == .authority } ? .authorityOnly : .unknown
    }

    /// Returns the known keys of a host, except revoked ones.
    func keys(of host: String) -> [SSHHostKey] {
        entries.filter { $0.mark == nil && $0.names(host) }.map {
            SSHHostKey(host: host, algorithm: $0.algorithm, blob: $0.blob)
        }
    }

    /// Adds a host's key to the first file, with its name hashed.
    func add(_ key: SSHHostKey) throws {
        guard let file = files.first else { return }
        if let cut = file.bytes.lastIndex(of: UInt8(ascii: "/")), cut > 0 {
            try PrivateFile.createFolder(LocalPath(bytes: file.bytes[..<cut]))
        }
        // Append atomically, even if the file is a link, or `ssh` is adding to it too.
        let descriptor = file.withCString { open($0, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600) }
        guard descriptor >= 0 else { throw posixError(file, errno, writing: true) }
        let known = LocalFileHandle(owning: descriptor)
        let last = try known.read(at: max(0, known.size() - 1), count: 1).first ?? UInt8(ascii: "\n")
        let line = Array(((last == UInt8(ascii: "\n") ? "" : "\n") + KnownHostsEntry.line(for: key)).utf8)
        guard write(descriptor, line, line.count) == line.count else { throw posixError(file, errno, writing: true) }
    }
}

extension SFTPConfiguration {
    /// The host's name in `known_hosts`: `host`, or `[host]:port`.
    var hostLabel: String {
        let host = host.lowercased()
        return port == nil || port == 22 ? host : "[\(host)]:\(port ?? 22)"
    }
}
