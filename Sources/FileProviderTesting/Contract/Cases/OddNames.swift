import FileProviding

/// The names that providers get wrong: one table for every case that needs odd names.
enum OddNames {
    static let all: [ItemName] = texts.map { ItemName(unchecked: Array($0.utf8)) } + notText + long

    private static let texts = [
        // Unicode: composed and decomposed, beyond the basic plane, joined, right to left, no width.
        "é", "e\u{301}", "한글", "\u{1112}\u{1161}\u{11AB}", "🦊", "👩‍👩‍👧‍👦", "文件", "ファイル", "שלום", "a\u{202E}b", "\u{FEFF}bom",
        "\u{200B}",
        "ß", "İ", "\u{A0}nbsp", "a\u{85}b", "a\u{2028}b", "\u{FFFD}",
        // What URLs interpret.
        "%", "%20", "%41", "100%41", "test%46.txt", "a%20b", "%2e%2e", "%2F", "%00", "%zz", "+", "a+b", "#", "a#b", "?",
        "a?b=c", ";", "a;b", "&", "a&b", "&amp;", "=", "@", ":", "a:b", "id:abcd", "http:", "$", ",", "!", "~", "[x]",
        "{x}",
        // What shells, systems and markup interpret.
        "*", "'", "\"", "<>", "<d:href>", "]]>", "\\", "a\\b", "|", "^", "`", "-rf", "C:", "CON", "a.", ".fp",
        // Space and dots at the edges.
        " ", " leading", "trailing ", "two  spaces", ".leading", "trailing.", "...", "..a", "a..",
        // Control characters.
        "a\nb", "a\rb", "a\tb", "\u{1}", "a\u{1B}[31mb", "\u{7F}",
    ]

    private static let notText = [[0xFF], [0x61, 0xC3, 0x28, 0x62], [0xED, 0xA0, 0x80], [0xC0, 0xAF]].map {
        ItemName(unchecked: $0)
    }

    private static let long = [
        String(repeating: "n", count: 255), String(repeating: "é", count: 127) + "x", String(repeating: "文", count: 85),
        String(repeating: "%", count: 255),
    ].map { ItemName(unchecked: Array($0.utf8)) }
}
