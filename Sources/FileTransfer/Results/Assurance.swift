import FileProviding

/// The degree to which a copy was verified.
public enum Assurance: Sendable, Hashable, CustomStringConvertible {
    /// Both ends have this hash.
    case hash(Checksum.Algorithm)
    /// The copy has this hash of the bytes that arrived. The source reports none, and over HTTP without TLS nothing
    /// tells whether they were altered on the way.
    case arrival(Checksum.Algorithm)
    /// Both ends were read, or the destination's hash was, and they are equal by that hash or SHA-256.
    case readback
    /// Both ends have this size. Of a copy that was written by one request, the destination confirmed that it has
    /// stored all of its bytes; `TransferOptions.Verification.size` asks it for the size.
    case size
    /// The copy was not verified, for this reason.
    case unverified(String)

    /// `verified by SHA256`, `as it arrived, by SHA256: …`, `verified by size`, `unverified: …`.
    public var description: String {
        switch self {
        case .hash(let algorithm): "verified by \(algorithm.rawValue)"
        case .arrival(let algorithm):
            "as it arrived, by \(algorithm.rawValue): the source tells no hash to compare with"
        case .readback: "verified by reading back"
        case .size: "verified by size"
        case .unverified(let reason): "unverified: \(reason)"
        }
    }
}
