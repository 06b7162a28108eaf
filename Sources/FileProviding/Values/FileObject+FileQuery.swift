extension FileObject: FileQuerySubject {
    /// Returns the property that a query's key stands for. An item alone does not know its `url`, which is therefore
    /// absent.
    public func queryValue(for key: FileQuery.Key) -> FileQuery.Value? {
        switch key {
        case .name: .string(name)
        case .path: .string(path.description)
        case .url: nil
        case .fileSize: size.map { .integer($0) }
        case .creationDate: creationTime.map { .date($0.date) }
        case .modifiedDate: modificationTime.map { .date($0.date) }
        case .accessDate: accessTime.map { .date($0.date) }
        case .isHidden: .bool(isHidden)
        case .isWritable: isReadOnly.map { .bool(!$0) }
        case .isReadOnly: isReadOnly.map { .bool($0) }
        case .isDirectory: .bool(isDirectory)
        case .isRegularFile: .bool(isRegularFile)
        case .isSymLink: .bool(isSymLink)
        case .type: .string(type.rawValue)
        case .eTag: etag.map { .string($0.rawValue) }
        case .mimeType: contentType.map { .string($0) }
        case .id: fileID.map { .string($0) }
        case .childrenCount: childrenCount.map { .integer(Int64($0)) }
        case .owner: owner.map { .string($0) }
        case .width: self[.imageWidth].map { .integer(Int64($0)) }
        case .height: self[.imageHeight].map { .integer(Int64($0)) }
        case .custom(let key): customValue(key.name)
        }
    }

    private func customValue(_ name: String) -> FileQuery.Value? {
        switch customAttributes[name] {
        case let text as String: .string(text)
        case let flag as Bool: .bool(flag)
        case let number as Int: .integer(Int64(number))
        case let number as Int64: .integer(number)
        case let number as Double: .decimal(number)
        default: nil
        }
    }
}

extension FileAttributeKey where Value == Int {
    /// An image's width in pixels.
    public static let imageWidth = FileAttributeKey("image.width")
    /// An image's height in pixels.
    public static let imageHeight = FileAttributeKey("image.height")
}
