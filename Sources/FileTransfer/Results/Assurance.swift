import FileProviding

/// The degree to which a copy was verified.
public enum Assurance: Sendable, Hashable, CustomStringConvertible {
    /// Both ends have this hash; that of a source which reports none is of the bytes that arrived from it.
    case hash(Checksum.Algorithm)
    /// Both ends were read and are equal, judging by SHA-256.
    case readback
    /// Both ends have this size. Of a copy that was written by one request, the destination confirmed that it has
    /// stored all of its bytes; `TransferOptions.Verification.size` asks it for the size.
    case size
    /// The copy was not verified, for this reason.
    case unverified(String)

    /// `verified by SHA256`, `verified by size`, `unverified: …`.
    public var description: String {
        switch self {
        case .hash(let algorithm): "verified by \(algorithm.rawValue)"
        case .readback: "verified by reading back"
        case .size: "verified by size"
        case .unverified(let reason): "unverified: \(reason)"
        }
    }
}
