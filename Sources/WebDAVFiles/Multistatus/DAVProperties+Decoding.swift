import FileProviding
import HTTPFiles

extension DAVProperties {
    /// Decodes the texts; of a property that was sent twice, the last value counts.
    init(_ values: DAVValues, others: [XMLName]) {
        self.init()
        values.forEach { code, text in
            if let name = DAVPropertyName(rawValue: code) {
                set(name, text)
            } else if let element = DAVElement(rawValue: code) {
                set(element, text)
            } else {
                other[others[Int(code - ElementTable.firstOther)]] = DAVText.string(text) ?? ""
            }
        }
    }

    private mutating func set(_ name: DAVPropertyName, _ text: UnsafeRawBufferPointer) {
        switch name {
        case .resourceType: isCollection = false
        case .contentLength: contentLength = Self.length(text)
        case .lastModified: lastModified = HTTPDate.parse(text)
        case .creationDate: creationDate = HTTPDate.parse(text)
        case .etag: etag = DAVText.etag(text).map(ETag.init(rawValue:))
        case .contentType: contentType = DAVText.string(text)
        case .displayName: displayName = DAVText.string(text)
        case .quotaAvailable: quotaAvailable = DAVText.integer(text)
        case .quotaUsed: quotaUsed = DAVText.integer(text)
        case .isCollection: isCollection = isCollection ?? DAVText.boolean(text)
        case .isHidden: isHidden = DAVText.boolean(text)
        case .id: id = DAVText.string(text)
        case .fileID: fileID = DAVText.string(text)
        case .permissions: permissions = DAVText.string(text)
        case .size: size = Self.length(text)
        case .favorite: isFavorite = DAVText.boolean(text)
        case .ownerID: ownerID = DAVText.string(text)
        case .ownerDisplayName: ownerDisplayName = DAVText.string(text)
        case .lockDiscovery, .checksums, .shareTypes: break  // What is in them comes by itself.
        }
    }

    /// A number of bytes; `nil` for a negative one or an exbibyte and more, which stand for something else.
    private static func length(_ text: UnsafeRawBufferPointer) -> Int64? {
        DAVText.integer(text).flatMap { (0..<1 << 60).contains($0) ? $0 : nil }
    }

    private mutating func set(_ element: DAVElement, _ text: UnsafeRawBufferPointer) {
        switch element {
        case .collection: isCollection = true
        case .activeLock: locks.append(DAVLock())
        case .lockToken: changeLastLock { $0.token = DAVText.string(text) }
        case .timeout: changeLastLock { $0.timeout = Self.seconds(text) }
        case .owner: changeLastLock { $0.owner = DAVText.string(text) }
        case .checksum: checksums += Self.checksums(text)
        case .shareType: shareTypes += DAVText.integer(text).map { [Int($0)] } ?? []
        default: break
        }
    }

    private mutating func changeLastLock(_ change: (inout DAVLock) -> Void) {
        if !locks.isEmpty { change(&locks[locks.count - 1]) }
    }

    /// Returns the seconds of `Second-3600`, `nil` for `Infinite`; of several alternatives the first (RFC 4918, section
    /// 10.7).
    private static func seconds(_ text: UnsafeRawBufferPointer) -> Int64? {
        let first = DAVText.string(text)?.split(separator: ",").first ?? ""
        return first.hasPrefix("Second-") ? Int64(first.dropFirst(7)) : nil
    }

    /// Returns the hashes in ownCloud's `SHA1:… MD5:… ADLER32:…` that are of known types.
    private static func checksums(_ text: UnsafeRawBufferPointer) -> [Checksum] {
        (DAVText.string(text) ?? "").split(separator: " ").compactMap { pair in
            let parts = pair.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            return Checksum.Algorithm(rawValue: parts[0].uppercased()).map { Checksum($0, hex: String(parts[1])) }
        }
    }
}
