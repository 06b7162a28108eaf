import FileProviding

extension FileQuery {
    /// A text that the name of every match contains, ignoring case, which a server can search for.
    ///
    /// `nil` if there is none, or if a server could interpret it as a pattern, or compare its letters differently.
    var nameFragment: String? {
        switch self {
        case .comparison(.name, let relation, .string(let text), let options):
            guard [.equal, .contains, .beginsWith, .endsWith].contains(relation), text.utf8.count >= 2,
                text.unicodeScalars.allSatisfy({ !"*?%_\"'\\".unicodeScalars.contains($0) && $0.value >= 0x20 }),
                options.isEmpty || (options == .caseInsensitive && text.utf8.allSatisfy { $0 < 0x80 })
            else { return nil }
            return text
        case .and(let operands): return operands.lazy.compactMap(\.nameFragment).first
        default: return nil
        }
    }

    /// Whether a server's index can answer this query and reports enough about its matches to evaluate the rest.
    var isIndexed: Bool {
        nameFragment != nil
            && keys.isSubset(of: [
                .name, .path, .fileSize, .modifiedDate, .type, .isDirectory, .isRegularFile, .isHidden,
            ])
    }
}
