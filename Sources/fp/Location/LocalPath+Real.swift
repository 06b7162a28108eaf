import FileProviders
import Foundation

extension LocalPath {
    /// Where the path leads to when its links are resolved, from the root of the file system; `nil` if there is
    /// nothing.
    var real: ItemPath? {
        guard let resolved = withCString({ realpath($0, nil) }) else { return nil }
        defer { free(resolved) }
        return try? ItemPath(validatingBytes: (0..<strlen(resolved)).map { UInt8(bitPattern: resolved[$0]) })
    }

    /// Where the nearest folder that exists at or above an absolute path leads to.
    var realAbove: ItemPath? {
        var path = try? ItemPath(validatingBytes: bytes)
        while let place = path {
            if let real = LocalPath(bytes: [UInt8(ascii: "/")] + place.asItem.bytes).real { return real }
            path = place.parent
        }
        return nil
    }
}
