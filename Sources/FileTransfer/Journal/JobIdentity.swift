import Crypto
import FileProviding
import Foundation

/// The identity of a transfer: the same sources, destination and options give the same identity in every run.
struct JobIdentity: Hashable, Sendable {
    /// Thirty-two hexadecimal digits.
    let name: String
    /// Distinguishes the transfer from others that are begun in the same way, possibly on other machines, so that they
    /// do not share temporary names. Kept in its journal; those of earlier versions have none.
    var number: UInt64?
    private let seed: [UInt8]

    /// The properties that distinguish one transfer from another. Its speed is not one of them; neither is how a move
    /// treats single files, since what was begun has to be found again, and not be taken for somebody's folder.
    private struct Description: Encodable {
        struct End: Encodable {
            let identity: ProviderIdentity
            let path: ItemPath

            init(_ endpoint: TransferEndpoint) {
                var identity = endpoint.provider.identity
                // A new token goes on with what an old one began.
                if identity.account?.hasPrefix(Credential.tokenMark) == true { identity.account = nil }
                self.identity = identity
                path = endpoint.path
            }
        }

        let ends: [[End]]
        let rules: [String]
        let filter: [String]
    }

    init(_ plan: TransferPlan) throws {
        let options = plan.options
        let mirror = options.mirror.map { "\($0.deletes) \($0.backup.map(\.path.description) ?? "")" }
        let description = Description(
            ends: plan.jobs.map { [Description.End($0.source), Description.End($0.target)] },
            rules: options.removesSources
                ? ["move"]
                : [
                    options.conflict.rawValue, options.verification.rawValue, options.symlinks.rawValue,
                    options.names.rawValue, "\(options.recursive)", "false", mirror ?? "copy",
                ],
            filter: options.filter.rules.map { rule in
                let pattern = String(validating: rule.pattern, as: UTF8.self) ?? Checksum.hexadecimal(rule.pattern)
                return "\(rule.isException ? "!" : rule.includes ? "+" : "-")\(pattern)"
            })
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        seed = Array(SHA256.hash(data: try encoder.encode(description)).prefix(16))
        name = Checksum.hexadecimal(seed)
    }

    /// Creates the identity with this name; `nil` for an invalid name.
    init?(name: String) {
        let digits = Array(name)
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(digits[$0...($0 + 1)]), radix: 16)
        }
        guard digits.count == 32, bytes.count == 16 else { return nil }
        seed = bytes
        self.name = name
    }

    /// Returns a number for a file of this transfer, derived from its target.
    func key(of target: ItemPath) -> UInt64 { digest(target.bytes) }

    /// Returns a number for a finished file, derived from its target and the version of its source.
    func key(of target: ItemPath, _ version: FileVersion) -> UInt64 {
        var bytes = target.bytes
        for number in [version.size ?? -1, version.modificationTime?.nanoseconds ?? .min] {
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }
        bytes.append(contentsOf: (version.etag?.opaque ?? "").utf8)
        return digest(bytes)
    }

    private func digest(_ bytes: [UInt8]) -> UInt64 {
        var hash = SHA256()
        hash.update(data: seed)
        if let number { withUnsafeBytes(of: number.littleEndian) { hash.update(bufferPointer: $0) } }
        hash.update(data: bytes)
        return hash.finalize().prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
