import FileProviders

/// Writes listed items as names, long lines or JSON Lines.
struct EntryWriter {
    /// The style of an item.
    enum Style {
        /// Its name.
        case names
        /// `ls -l`, with short sizes or exact ones.
        case long(human: Bool)
        /// A JSON object.
        case json
    }

    /// The style of items.
    var style: Style
    /// What ends a name: a line feed, or a zero byte for programs that read names that may contain line feeds.
    var terminator = UInt8(ascii: "\n")

    /// Writes a page of items.
    ///
    /// - Parameters:
    ///   - name: returns an item's name as it is shown, without a directory's slash.
    ///   - path: returns an item's path for JSON.
    func write(
        _ page: [FileObject], to output: StandardOutput, name: (FileObject) -> [UInt8], path: (FileObject) -> [UInt8]
    ) throws {
        switch style {
        case .names:
            for item in page { try output.write(shown(item, name, output) + [terminator]) }
        case .long(let human):
            let listing = LongListing(human: human)
            try listing.write(page) { item in
                guard let target = item.linkTarget else { return shown(item, name, output) }
                return shown(item, name, output) + Array(" -> ".utf8) + output.shown(target.bytes)
            } to: {
                try output.write($0 + [terminator])
            }
        case .json:
            for item in page { try output.write(JSONLine(item, path: path(item)).line) }
        }
        if output.isTerminal { try output.flush() }
    }

    private func shown(_ item: FileObject, _ name: (FileObject) -> [UInt8], _ output: StandardOutput) -> [UInt8] {
        let name = terminator == 0 ? name(item) : output.shown(name(item))
        return item.isDirectory && name.last != UInt8(ascii: "/") ? name + [UInt8(ascii: "/")] : name
    }
}
