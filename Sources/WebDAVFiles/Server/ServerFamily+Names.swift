import FileProviding

extension ServerFamily {
    /// Throws for a new name that the server would alter, hide or lose.
    ///
    /// - Throws: `CocoaError(.fileWriteInvalidFileName)`, before anything is sent.
    func checkName(_ path: ItemPath, isDirectory: Bool = false) throws {
        guard let name = path.lastComponent?.bytes else { return }
        for unfit in isDirectory ? unfitNames.union(unfitDirectoryNames) : unfitNames where unfit.holds(for: name) {
            throw cocoaError(path, code: .fileWriteInvalidFileName, reason: "\(self.name) \(unfit.consequence)")
        }
    }

    /// Returns whether the server may misread the name's characters, so that a new item has to be checked.
    func mayGuess(_ name: ItemName) -> Bool { guessesEncoding && name.bytes.contains { $0 > 0x7F } }

    /// Returns the characters of a name that have a meaning in an address or in XML, on a server that may mishandle
    /// them.
    func signs(in name: ItemName) -> Set<UInt8> {
        keepsNames ? [] : Self.signs.intersection(name.bytes)
    }

    private static let signs = Set("%;?#&\\".utf8)

    /// Returns whether the server would mistake a `Destination` for another name.
    func cuts(_ path: ItemPath) -> Bool { path.bytes.contains { destinationCutters.contains($0) } }

    /// Throws for a destination that the server would mistake for another name.
    func checkDestination(_ path: ItemPath) throws {
        guard cuts(path) else { return }
        let letters = destinationCutters.sorted().map { UnicodeScalar($0).escaped(asASCII: true) }.joined(
            separator: " ")
        throw cocoaError(
            path, code: .fileWriteInvalidFileName,
            reason: "\(name) cannot move or copy to a name with one of \(letters)")
    }
}

extension ServerFamily.UnfitName {
    func holds(for name: [UInt8]) -> Bool {
        switch self {
        case .notUTF8: String(validating: name, as: UTF8.self) == nil
        case .leadingDot: name.first == UInt8(ascii: ".")
        case .tooLong: name.count > 255
        case .controlCharacters: name.contains { $0 < 0x20 || $0 == 0x7F }
        case .lowCharacters: name.contains { $0 < 0x20 }
        case .lineFeed: name.contains(UInt8(ascii: "\n"))
        case .backslash: name.contains(UInt8(ascii: "\\"))
        case .unfinished:
            [".part", ".filepart"].contains(where: String(decoding: name, as: UTF8.self).lowercased().hasSuffix)
        }
    }

    /// What the server does with such a name.
    var consequence: String {
        switch self {
        case .notUTF8: "keeps only names in UTF-8"
        case .leadingDot: "does not list names that begin with a dot"
        case .tooLong: "loses what has a name of more than 255 bytes"
        case .controlCharacters, .lowCharacters: "refuses or alters control characters in names"
        case .lineFeed: "refuses a name with a line feed, or loses what is in such a directory"
        case .backslash: "refuses a name with a backslash"
        case .unfinished: "refuses names that end as those of unfinished uploads do"
        }
    }
}
