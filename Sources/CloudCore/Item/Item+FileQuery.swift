import FileProviding

extension Item: FileQuerySubject {
    /// Returns the property that a query's key stands for. `url`, `accessDate` and providers' own keys are not stored
    /// in a vault and are therefore absent.
    public func queryValue(for key: FileQuery.Key) -> FileQuery.Value? {
        switch key {
        case .name: .string(name)
        case .path: .string(path.description)
        case .url, .accessDate, .custom: nil
        case .fileSize: size.map { .integer($0) }
        case .creationDate: version.creationTime.map { .date($0.date) }
        case .modifiedDate: modificationTime.map { .date($0.date) }
        case .isHidden: .bool(version.isHidden)
        case .isWritable: version.isReadOnly.map { .bool(!$0) }
        case .isReadOnly: version.isReadOnly.map { .bool($0) }
        case .isDirectory: .bool(isDirectory)
        case .isRegularFile: .bool(type == .regular)
        case .isSymLink: .bool(type == .symbolicLink)
        case .type: .string(type.rawValue)
        case .eTag: etag.map { .string($0.rawValue) }
        case .mimeType: version.contentType.map { .string($0) }
        case .id: fileID.map { .string($0) }
        case .childrenCount: childrenCount.map { .integer(Int64($0)) }
        case .owner: version.owner.map { .string($0) }
        case .width: version.imageSize.map { .integer(Int64($0.width)) }
        case .height: version.imageSize.map { .integer(Int64($0.height)) }
        }
    }
}
