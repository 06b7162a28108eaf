extension ItemName {
    /// Whether some file systems refuse such a name: exFAT and NTFS reserve characters, eCryptfs has short names only.
    package var isRefusedSomewhere: Bool {
        bytes.count > 143 || bytes.contains { $0 < 0x20 || Self.reserved.contains($0) }
            || bytes.last == UInt8(ascii: ".") || bytes.last == UInt8(ascii: " ")
    }

    private static let reserved = Set(#""*:<>?\|"#.utf8)
}
