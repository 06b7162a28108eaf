import FileProviders
import Foundation

extension LocationParser {
    /// Returns a local path from the root of the file system, interpreted as the kernel does.
    ///
    /// `//` and `.` are removed. `..` goes up from where its predecessor really is, which matters after a symbolic link
    /// to a directory; without `..` in the text, links stay as they were written.
    func localPath(_ text: [UInt8]) throws -> ItemPath {
        let slash = UInt8(ascii: "/")
        let whole = text.first == slash ? text : try workingDirectory() + [slash] + text
        var path: [UInt8] = []
        for component in whole.split(separator: slash) where !component.elementsEqual(".".utf8) {
            if component.elementsEqual("..".utf8) {
                path = try realPath(path, of: text)
                path.removeSubrange((path.lastIndex(of: slash) ?? 0)...)
            } else {
                path += [slash] + component
            }
        }
        let last = whole.split(separator: slash, omittingEmptySubsequences: false).last ?? []
        let namesDirectory = last.isEmpty || last.elementsEqual(".".utf8) || last.elementsEqual("..".utf8)
        do {
            return try ItemPath(validatingBytes: path + (namesDirectory || path.isEmpty ? [slash] : []))
        } catch {
            throw Refusal(ShownName.escaped(text), "not a valid path")
        }
    }

    private func realPath(_ path: [UInt8], of text: [UInt8]) throws -> [UInt8] {
        guard !path.isEmpty else { return [] }
        guard let real = LocalPath(bytes: path).real else {
            throw posixError(LocalPath(bytes: text), errno, writing: false)
        }
        return real.isRoot ? [] : [UInt8(ascii: "/")] + real.asItem.bytes
    }
}
