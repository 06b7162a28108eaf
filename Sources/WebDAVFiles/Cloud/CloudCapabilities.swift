import Foundation

/// The capabilities that a cloud server reports: `ocs/v2.php/cloud/capabilities`. Whatever it does not report is
/// considered missing.
struct CloudCapabilities: Sendable, Hashable, Decodable {
    /// The largest PATCH of a TUS upload, in bytes, but no more than may be held in memory; `nil` without TUS.
    private(set) var tusChunkLength: Int64?
    /// Whether uploads in chunks are accepted (`dav.chunking`).
    private(set) var takesChunks = false
    /// Whether removed items are kept (`files.undelete`).
    private(set) var hasTrash = false
    /// Whether earlier versions are kept (`files.versioning`).
    private(set) var hasVersions = false
    /// Whether items can be shared (`files_sharing.api_enabled`).
    private(set) var hasShares = false
    /// Whether changes are reported as they happen (`core.support-sse`).
    private(set) var supportsEvents = false

    private static let longestPart: Int64 = 64 << 20

    /// Creates the capabilities of a server that announces none.
    init() {}

    private enum Section: String, CodingKey { case capabilities, core, dav, files, sharing = "files_sharing" }
    private enum Key: String, CodingKey {
        case supportSSE = "support-sse"
        case chunking, undelete, versioning
        case tus = "tus_support"
        case maximumChunk = "max_chunk_size"
        case apiEnabled = "api_enabled"
    }

    /// Servers write an empty section as an empty list, and Booleans in several ways: values that cannot be decoded are
    /// absent.
    init(from decoder: any Decoder) throws {
        let all = try decoder.container(keyedBy: Section.self).nestedContainer(
            keyedBy: Section.self, forKey: .capabilities)
        if let core = try? all.nestedContainer(keyedBy: Key.self, forKey: .core) {
            supportsEvents = (try? core.decode(Bool.self, forKey: .supportSSE)) ?? false
        }
        if let dav = try? all.nestedContainer(keyedBy: Key.self, forKey: .dav) {
            takesChunks = (try? dav.decode(String.self, forKey: .chunking)).map { !$0.isEmpty } ?? false
        }
        if let files = try? all.nestedContainer(keyedBy: Key.self, forKey: .files) {
            hasTrash = (try? files.decode(Bool.self, forKey: .undelete)) ?? false
            hasVersions = (try? files.decode(Bool.self, forKey: .versioning)) ?? false
            if let tus = try? files.nestedContainer(keyedBy: Key.self, forKey: .tus) {
                let told = (try? tus.decode(Int64.self, forKey: .maximumChunk)) ?? 0
                tusChunkLength = told > 0 ? min(told, Self.longestPart) : Self.longestPart
            }
        }
        if let sharing = try? all.nestedContainer(keyedBy: Key.self, forKey: .sharing) {
            hasShares = (try? sharing.decode(Bool.self, forKey: .apiEnabled)) ?? false
        }
    }
}
