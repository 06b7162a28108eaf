extension FileObject {
    /// The fields that most entries have.
    struct Fields {
        var parent: ItemPath
        var type: FileObjectType
        /// The number of bytes of the text that follows; `nil` is stored as a negative number.
        fileprivate var nameLength: Int32 = 0
        fileprivate var tagLength: Int32 = -1
        fileprivate var contentTypeLength: Int32 = -1
        /// Negative where it is unknown.
        var size: Int64 = -1
        var modified = FileTime.unknown
        var created = FileTime.unknown
        var boxed: DetailsBox?

        init(parent: ItemPath, type: FileObjectType) {
            self.parent = parent
            self.type = type
        }

        var details: Details? { boxed?.value }

        mutating func changeDetails(_ change: (inout Details) -> Void) {
            if !isKnownUniquelyReferenced(&boxed) { boxed = DetailsBox(boxed?.value ?? Details()) }
            change(&boxed!.value)
        }
    }

    /// The fields and, after them in the same allocation, the bytes of the name, the tag and the media type.
    final class Storage: ManagedBuffer<Fields, UInt8> {
        /// The bytes of one of the texts.
        typealias Bytes = UnsafeBufferPointer<UInt8>

        /// Returns an item with these texts.
        static func make(_ fields: Fields, name: [UInt8], _ etag: ETag?, _ contentType: String?) -> Storage {
            name.withUnsafeBufferPointer { make(fields, name: $0, etag, contentType) }
        }

        /// Returns the same item under another name.
        func named(_ name: [UInt8]) -> Storage {
            withTexts { _, tag, contentType in
                name.withUnsafeBufferPointer { Storage.make(header, name: $0, tag: tag, contentType: contentType) }
            }
        }

        /// Returns the same item with another tag or media type.
        func described(_ etag: ETag?, _ contentType: String?) -> Storage {
            withName { Storage.make(header, name: $0, etag, contentType) }
        }

        func copy() -> Storage {
            withTexts { Storage.make(header, name: $0, tag: $1, contentType: $2) }
        }

        private static func make(_ fields: Fields, name: Bytes, _ etag: ETag?, _ contentType: String?) -> Storage {
            withBytes(etag?.rawValue) { tag in
                withBytes(contentType) { make(fields, name: name, tag: tag, contentType: $0) }
            }
        }

        private static func withBytes<Result>(_ text: String?, _ body: (Bytes?) -> Result) -> Result {
            guard var text else { return body(nil) }
            return text.withUTF8(body)
        }

        private static func make(_ fields: Fields, name: Bytes, tag: Bytes?, contentType: Bytes?) -> Storage {
            var fields = fields
            fields.nameLength = Int32(name.count)
            fields.tagLength = tag.map { Int32($0.count) } ?? -1
            fields.contentTypeLength = contentType.map { Int32($0.count) } ?? -1
            let length = name.count + (tag?.count ?? 0) + (contentType?.count ?? 0)
            let made = create(minimumCapacity: length) { _ in fields }
            made.withUnsafeMutablePointerToElements { start in
                var end = start
                for text in [name, tag, contentType] {
                    guard let text, let source = text.baseAddress else { continue }
                    end.update(from: source, count: text.count)
                    end += text.count
                }
            }
            return unsafeDowncast(made, to: Storage.self)
        }

        func withName<Result>(_ body: (Bytes) throws -> Result) rethrows -> Result {
            try withTexts { name, _, _ in try body(name) }
        }

        func withTexts<Result>(_ body: (_ name: Bytes, _ tag: Bytes?, _ contentType: Bytes?) throws -> Result)
            rethrows -> Result
        {
            try withUnsafeMutablePointers { fields, start in
                var end = UnsafePointer(start)
                func next(_ length: Int32) -> Bytes? {
                    guard length >= 0 else { return nil }
                    defer { end += Int(length) }
                    return Bytes(start: end, count: Int(length))
                }
                let (name, tag) = (next(fields.pointee.nameLength)!, next(fields.pointee.tagLength))
                return try body(name, tag, next(fields.pointee.contentTypeLength))
            }
        }
    }

    /// The fields that few entries have. Shared between copies, never written while shared.
    final class DetailsBox: @unchecked Sendable {  // `changeDetails` copies before it writes to a shared box.
        var value: Details
        init(_ value: Details) { self.value = value }
    }

    mutating func mutate(_ change: (inout Fields) -> Void) {
        if !isKnownUniquelyReferenced(&storage) { storage = storage.copy() }
        change(&storage.header)
    }
}

extension FileTime {
    /// The value that stands for an unknown time in a field.
    static let unknown = FileTime(nanoseconds: .min)

    /// The time, or `nil` if it is unknown.
    var known: FileTime? { self == .unknown ? nil : self }
}
