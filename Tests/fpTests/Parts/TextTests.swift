import FileProviders
import Testing

@testable import fp

@Suite struct TextTests {
    @Test(arguments: [
        ("plain é 日本", "plain é 日本"), ("a\nb\tc", "a\\nb\\tc"), ("\u{1B}[2J", "\\033[2J"),
        ("x\u{202E}gpj.exe", "x\\342\\200\\256gpj.exe"),
        ("\u{9B}2J", "\\302\\2332J"), ("\u{7F}", "\\177"),
    ])
    func namesAreHarmless(text: String, shown: String) { #expect(ShownName.escaped(text) == shown) }

    @Test func bytesThatAreNoTextAreShownToo() {
        #expect(ShownName.escaped([0x61, 0xFF, 0x62, 0xC3]) == "a\\377b\\303")
    }

    @Test(
        arguments: [
            (0, "0B"), (1023, "1023B"), (1024, "1.0K"), (1025, "1.1K"), (10_240, "10K"), (1_048_575, "1.0M"),
            (1 << 40, "1.0T"),
            (Int64.max, "8.0E"),
        ] as [(Int64, String)])
    func byteCounts(bytes: Int64, text: String) { #expect(ByteCount.short(bytes) == text) }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (1_500_000_000, "1970-01-01T00:00:01.5Z"),
            (-1, "1969-12-31T23:59:59.999999999Z"),
            (1_763_728_000_000_000_000, "2025-11-21T12:26:40Z"),
        ] as [(Int64, String)])
    func timestamps(nanoseconds: Int64, text: String) {
        #expect(Timestamp.rfc3339(FileTime(nanoseconds: nanoseconds)) == text)
    }

    @Test(
        arguments: [
            (0o755, "rwxr-xr-x"), (0o4755, "rwsr-xr-x"), (0o2640, "rw-r-S---"), (0o1777, "rwxrwxrwt"), (0, "---------"),
        ] as [(UInt16, String)])
    func permissions(bits: UInt16, text: String) { #expect(Permissions.text(bits) == text) }

    @Test func jsonEscapes() {
        var line = JSONLine()
        line.add("text", "a\"b\\c\n\u{1}é")
        line.add("count", 3)
        line.add("missing", nil as String?)
        line.add("exact", exact: [0x61, 0xFF])
        let text = String(decoding: line.line, as: UTF8.self)
        #expect(
            text == #"{"text":"a\"b\\c\n\u0001é","count":3,"exact":"a"# + "\u{FFFD}" + #"","exactBase64":"Yf8="}"#
                + "\n")
    }

    @Test(arguments: [
        ("SHA256:" + String(repeating: "AB:", count: 31) + "AB", true), (String(repeating: "0", count: 64), true),
        (String(repeating: "0", count: 63), false), (String(repeating: "g", count: 64), false),
    ])
    func fingerprints(text: String, isValid: Bool) { #expect((CertificatePin(argument: text) != nil) == isValid) }
}
