import FileProviding

/// Checks that two descriptions of an item agree; a weak and a strong tag of one version count as the same.
func expectSame(_ a: FileObject, _ b: FileObject, file: StaticString = #fileID, line: UInt = #line) throws {
    try expectEqual(a.path, b.path, "path", file: file, line: line)
    try expectEqual(a.type, b.type, "type of \(a.path)", file: file, line: line)
    try expectEqual(a.size, b.size, "size of \(a.path)", file: file, line: line)
    try expectEqual(a.modificationTime, b.modificationTime, "time of \(a.path)", file: file, line: line)
    try expectEqual(a.etag?.opaque, b.etag?.opaque, "tag of \(a.path)", file: file, line: line)
    try expectEqual(a.fileID, b.fileID, "identifier of \(a.path)", file: file, line: line)
}

/// Checks that everything that `told` reports is true; it need not report everything.
func expectTrue(
    _ told: FileObject, of actual: FileObject, file: StaticString = #fileID, line: UInt = #line
) throws {
    var completed = told
    completed.size = told.size ?? actual.size
    completed.modificationTime = told.modificationTime ?? actual.modificationTime
    completed.etag = told.etag ?? actual.etag
    completed.fileID = told.fileID ?? actual.fileID
    try expectSame(completed, actual, file: file, line: line)
    if let permissions = told.permissions {
        try expectEqual(permissions, actual.permissions, "permissions of \(told.path)", file: file, line: line)
    }
}
