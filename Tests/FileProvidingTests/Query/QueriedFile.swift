import FileProviding

/// A file with just the properties a test gives it.
struct QueriedFile: FileQuerySubject {
    let properties: [FileQuery.Key: FileQuery.Value]

    init(_ properties: [FileQuery.Key: FileQuery.Value]) {
        self.properties = properties
    }

    init(named name: String) {
        self.init([.name: .string(name)])
    }

    func queryValue(for key: FileQuery.Key) -> FileQuery.Value? {
        properties[key]
    }
}
