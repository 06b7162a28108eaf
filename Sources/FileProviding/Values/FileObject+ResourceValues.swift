import Foundation

extension FileObject {
    /// The properties keyed as Foundation's resource values, for code that expects the specification's dictionary.
    ///
    /// Computed: what is `nil` is absent. Custom attributes appear under their own names.
    public var allValues: [URLResourceKey: Any] {
        var values: [URLResourceKey: Any] = [
            .nameKey: name,
            .pathKey: path.description,
            .fileResourceTypeKey: resourceType,
            .isHiddenKey: isHidden,
            .isDirectoryKey: isDirectory,
            .isRegularFileKey: isRegularFile,
            .isSymbolicLinkKey: isSymLink,
        ]
        values[.fileSizeKey] = size
        values[.contentModificationDateKey] = modificationTime?.date
        values[.creationDateKey] = creationTime?.date
        values[.contentAccessDateKey] = accessTime?.date
        values[.isWritableKey] = isReadOnly.map { !$0 }
        values[.entryTagKey] = etag?.rawValue
        values[.mimeTypeKey] = contentType
        values[.fileIdentifierKey] = fileID
        for (name, value) in customAttributes { values[URLResourceKey(rawValue: name)] = value }
        return values
    }

    /// When the contents last changed, to about 100 ns; ``modificationTime`` is exact.
    public var modifiedDate: Date? { modificationTime?.date }

    /// When the item was created.
    public var creationDate: Date? { creationTime?.date }

    private var resourceType: URLFileResourceType {
        switch type {
        case .regular: .regular
        case .directory: .directory
        case .symbolicLink: .symbolicLink
        case .unknown: .unknown
        }
    }
}

extension URLResourceKey {
    /// The server's tag for the item's version, a `String`.
    public static let entryTagKey = URLResourceKey(rawValue: "NSURLEntryTagKey")
    /// The media type, a `String`.
    public static let mimeTypeKey = URLResourceKey(rawValue: "NSURLMIMETypeIdentifierKey")
    /// The provider's permanent identifier, a `String`.
    public static let fileIdentifierKey = URLResourceKey(rawValue: "NSURLFileIdentifierKey")
}
