import Foundation

// Swift looks up `.name` in the type that the expression must have: `FileQuery` in `.name.contains("x")`, `Attribute`
// in `.name == "x"`. That is why each key is here twice.

extension FileQuery.Attribute<String> {
    /// The last component.
    public static var name: Self { Self(.name) }
    /// The path within the provider.
    public static var path: Self { Self(.path) }
    /// The address.
    public static var url: Self { Self(.url) }
    /// One of "directory", "regular", "symbolicLink" and "unknown".
    public static var type: Self { Self(.type) }
    /// The server's version of the contents.
    public static var eTag: Self { Self(.eTag) }
    /// The media type, such as "image/jpeg".
    public static var mimeType: Self { Self(.mimeType) }
    /// The storage's permanent identifier.
    public static var id: Self { Self(.id) }
    /// The owner, as the storage names it.
    public static var owner: Self { Self(.owner) }
}

extension FileQuery.Attribute<Int64> {
    /// The size in bytes.
    public static var fileSize: Self { Self(.fileSize) }
    /// The number of entries in a directory.
    public static var childrenCount: Self { Self(.childrenCount) }
    /// The width of an image or video in pixels.
    public static var width: Self { Self(.width) }
    /// The height of an image or video in pixels.
    public static var height: Self { Self(.height) }
}

extension FileQuery.Attribute<Date> {
    /// When the file was created.
    public static var creationDate: Self { Self(.creationDate) }
    /// When the contents last changed.
    public static var modifiedDate: Self { Self(.modifiedDate) }
    /// When the contents were last read.
    public static var accessDate: Self { Self(.accessDate) }
}

extension FileQuery.Attribute<Bool> {
    /// Whether the item is hidden from plain listings.
    public static var isHidden: Self { Self(.isHidden) }
    /// Whether the current user may change the item.
    public static var isWritable: Self { Self(.isWritable) }
    /// Whether the current user may not change the item.
    public static var isReadOnly: Self { Self(.isReadOnly) }
    /// Whether the item is a directory.
    public static var isDirectory: Self { Self(.isDirectory) }
    /// Whether the item is a file with contents.
    public static var isRegularFile: Self { Self(.isRegularFile) }
    /// Whether the item is a symbolic link.
    public static var isSymLink: Self { Self(.isSymLink) }
}

extension FileQuery {
    /// The last component.
    public static var name: Attribute<String> { .name }
    /// The path within the provider.
    public static var path: Attribute<String> { .path }
    /// The address.
    public static var url: Attribute<String> { .url }
    /// One of "directory", "regular", "symbolicLink" and "unknown".
    public static var type: Attribute<String> { .type }
    /// The server's version of the contents.
    public static var eTag: Attribute<String> { .eTag }
    /// The media type, such as "image/jpeg".
    public static var mimeType: Attribute<String> { .mimeType }
    /// The storage's permanent identifier.
    public static var id: Attribute<String> { .id }
    /// The owner, as the storage names it.
    public static var owner: Attribute<String> { .owner }
    /// The size in bytes.
    public static var fileSize: Attribute<Int64> { .fileSize }
    /// The number of entries in a directory.
    public static var childrenCount: Attribute<Int64> { .childrenCount }
    /// The width of an image or video in pixels.
    public static var width: Attribute<Int64> { .width }
    /// The height of an image or video in pixels.
    public static var height: Attribute<Int64> { .height }
    /// When the file was created.
    public static var creationDate: Attribute<Date> { .creationDate }
    /// When the contents last changed.
    public static var modifiedDate: Attribute<Date> { .modifiedDate }
    /// When the contents were last read.
    public static var accessDate: Attribute<Date> { .accessDate }
}

extension FileQuery {
    /// Whether the item is hidden from plain listings.
    public static var isHidden: Self { .comparison(.isHidden, .equal, true) }
    /// Whether the current user may change the item.
    public static var isWritable: Self { .comparison(.isWritable, .equal, true) }
    /// Whether the current user may not change the item.
    public static var isReadOnly: Self { .comparison(.isReadOnly, .equal, true) }
    /// Whether the item is a directory.
    public static var isDirectory: Self { .comparison(.isDirectory, .equal, true) }
    /// Whether the item is a file with contents.
    public static var isRegularFile: Self { .comparison(.isRegularFile, .equal, true) }
    /// Whether the item is a symbolic link.
    public static var isSymLink: Self { .comparison(.isSymLink, .equal, true) }
}
