import Foundation

// Swift looks up `.name` in the type that the expression has to be: `FileQuery` in `.name.contains("x")`, `Attribute`
// in `.name == "x"`. So each key is here twice.

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
    /// The media type.
    public static var mimeType: Self { Self(.mimeType) }
    /// The storage's permanent identifier.
    public static var id: Self { Self(.id) }
    /// Who owns it.
    public static var owner: Self { Self(.owner) }
}

extension FileQuery.Attribute<Int64> {
    /// Bytes.
    public static var fileSize: Self { Self(.fileSize) }
    /// Entries in a directory.
    public static var childrenCount: Self { Self(.childrenCount) }
    /// Pixels across.
    public static var width: Self { Self(.width) }
    /// Pixels down.
    public static var height: Self { Self(.height) }
}

extension FileQuery.Attribute<Date> {
    /// When the file was made.
    public static var creationDate: Self { Self(.creationDate) }
    /// When the contents last changed.
    public static var modifiedDate: Self { Self(.modifiedDate) }
    /// When the contents were last read.
    public static var accessDate: Self { Self(.accessDate) }
}

extension FileQuery.Attribute<Bool> {
    /// Left out of plain listings.
    public static var isHidden: Self { Self(.isHidden) }
    /// May be changed by this user.
    public static var isWritable: Self { Self(.isWritable) }
    /// May not be changed by this user.
    public static var isReadOnly: Self { Self(.isReadOnly) }
    /// Is a directory.
    public static var isDirectory: Self { Self(.isDirectory) }
    /// Is a file with contents.
    public static var isRegularFile: Self { Self(.isRegularFile) }
    /// Is a symbolic link.
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
    /// The media type.
    public static var mimeType: Attribute<String> { .mimeType }
    /// The storage's permanent identifier.
    public static var id: Attribute<String> { .id }
    /// Who owns it.
    public static var owner: Attribute<String> { .owner }
    /// Bytes.
    public static var fileSize: Attribute<Int64> { .fileSize }
    /// Entries in a directory.
    public static var childrenCount: Attribute<Int64> { .childrenCount }
    /// Pixels across.
    public static var width: Attribute<Int64> { .width }
    /// Pixels down.
    public static var height: Attribute<Int64> { .height }
    /// When the file was made.
    public static var creationDate: Attribute<Date> { .creationDate }
    /// When the contents last changed.
    public static var modifiedDate: Attribute<Date> { .modifiedDate }
    /// When the contents were last read.
    public static var accessDate: Attribute<Date> { .accessDate }
}

extension FileQuery {
    /// Left out of plain listings.
    public static var isHidden: Self { .comparison(.isHidden, .equal, true) }
    /// May be changed by this user.
    public static var isWritable: Self { .comparison(.isWritable, .equal, true) }
    /// May not be changed by this user.
    public static var isReadOnly: Self { .comparison(.isReadOnly, .equal, true) }
    /// Is a directory.
    public static var isDirectory: Self { .comparison(.isDirectory, .equal, true) }
    /// Is a file with contents.
    public static var isRegularFile: Self { .comparison(.isRegularFile, .equal, true) }
    /// Is a symbolic link.
    public static var isSymLink: Self { .comparison(.isSymLink, .equal, true) }
}
