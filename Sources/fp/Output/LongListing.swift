import FileProviders

/// `ls -l`: one line per item, columns aligned within a page, so that a listing of any length streams.
///
/// Columns that the provider has no values for are left out: a WebDAV server has no permissions to show.
struct LongListing {
    /// Whether sizes are short (`-h`).
    let human: Bool

    /// Writes the lines of a page, which are not stored: it may be a whole sorted directory.
    ///
    /// - Parameters:
    ///   - name: returns how an item's name is shown.
    ///   - write: receives a line.
    func write(_ page: [FileObject], name: (FileObject) -> [UInt8], to write: ([UInt8]) throws -> Void) rethrows {
        var columns = TextColumns([.left, .right, .left, .left, .right, .left])
        for item in page { columns.fit(cells(item)) }
        for item in page {
            try write(Array(columns.line(cells(item)).utf8) + [UInt8(ascii: " "), UInt8(ascii: " ")] + name(item))
        }
    }

    private func cells(_ item: FileObject) -> [String] {
        [
            mode(item), item.linkCount.map { String($0) } ?? "", item.owner.map(ShownName.escaped) ?? "",
            item.group.map(ShownName.escaped) ?? "",
            item.size.map { ByteCount.text($0, human: human) } ?? "-",
            item.modificationTime.map(Timestamp.minute) ?? "-               ",
        ]
    }

    /// Returns the type and, if known, the permissions: `-rw-r--r--`, or `d` alone.
    private func mode(_ item: FileObject) -> String {
        let type =
            switch item.type {
            case .regular: "-"
            case .directory: "d"
            case .symbolicLink: "l"
            case .unknown: "?"
            }
        return type + (item.permissions.map(Permissions.text) ?? "")
    }
}

/// Unix permission bits as `ls` writes them.
enum Permissions {
    /// Returns `rwxr-xr-x`, with `s` and `t` for the special bits.
    static func text(_ bits: UInt16) -> String {
        var characters = Array("rwxrwxrwx")
        for position in 0..<9 where bits & (0o400 >> UInt16(position)) == 0 { characters[position] = "-" }
        for (bit, position, letter) in [(0o4000, 2, "s"), (0o2000, 5, "s"), (0o1000, 8, "t")]
            as [(UInt16, Int, Character)]
        where bits & bit != 0 {
            characters[position] = characters[position] == "x" ? letter : Character(letter.uppercased())
        }
        return String(characters)
    }
}
