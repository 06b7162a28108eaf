import FileProviding

/// Parses dates as servers write them, from left to right, in any field or property.
///
/// - RFC 9110: `Sun, 06 Nov 1994 08:49:37 GMT`, also with `+0000` and other zones;
/// - RFC 850: `Sunday, 06-Nov-94 08:49:37 GMT`;
/// - asctime: `Sun Nov  6 08:49:37 1994`;
/// - ISO 8601: `1994-11-06T08:49:37Z`, also with a fraction, with a time zone, and without a time.
struct DateScanner {
    private let text: UnsafeRawBufferPointer
    private var position = 0
    private var year = 1970
    private var month = 1
    private var day = 1
    private var secondOfDay = 0
    private var nanosecond = 0
    private var zoneOffset = 0

    init(_ text: UnsafeRawBufferPointer) { self.text = text }

    private var isAtEnd: Bool { position == text.count }

    private var next: UInt8 { position < text.count ? text[position] : 0 }

    /// Reads the date; returns whether the whole text is one, ignoring surrounding white space.
    mutating func read() -> Bool {
        skipWhiteSpace()
        guard readDate() else { return false }
        skipWhiteSpace()
        return isAtEnd
    }

    private mutating func readDate() -> Bool {
        if position + 4 < text.count, text[position + 4] == UInt8(ascii: "-") { return readISO() }
        _ = word()
        skip { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: " ") }
        return isLetter(next) ? readASCTime() : readHTTP()
    }

    /// The time that was read, or `nil` for a day that does not exist in the calendar.
    var time: FileTime? {
        guard (1601...9999).contains(year), day >= 1, day <= Self.days(in: month, of: year) else { return nil }
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = shiftedYear / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        return FileTime(seconds: Int64(days * 86_400 + secondOfDay - zoneOffset), nanoseconds: Int64(nanosecond))
    }

    // MARK: Formats

    /// Reads `06 Nov 1994 08:49:37 GMT` or `06-Nov-94 08:49:37 GMT`.
    private mutating func readHTTP() -> Bool {
        guard let day = number(upTo: 2), readSeparator(), readMonth(), readSeparator() else { return false }
        let start = position
        guard var year = number(upTo: 4) else { return false }
        if position - start == 2 { year += year < 70 ? 2000 : 1900 }
        self.day = day
        self.year = year
        skipSpaces()
        return readTime() && readZone()
    }

    /// Reads `Nov  6 08:49:37 1994`.
    private mutating func readASCTime() -> Bool {
        guard readMonth() else { return false }
        skipSpaces()
        guard let day = number(upTo: 2) else { return false }
        skipSpaces()
        guard readTime() else { return false }
        skipSpaces()
        guard let year = number(upTo: 4) else { return false }
        self.day = day
        self.year = year
        return true
    }

    /// Reads `1994-11-06T08:49:37.123Z`.
    private mutating func readISO() -> Bool {
        guard let year = number(upTo: 4), take("-"), let month = number(upTo: 2), take("-"), let day = number(upTo: 2),
            (1...12).contains(month)
        else { return false }
        self.year = year
        self.month = month
        self.day = day
        if isAtEnd { return true }
        guard take("T") || take("t") || take(" "), readTime() else { return false }
        return readZone()
    }

    // MARK: Parts

    /// Reads `08:49:37` or `08:49:37.123456`.
    private mutating func readTime() -> Bool {
        guard let hour = number(upTo: 2), take(":"), let minute = number(upTo: 2), hour < 24, minute < 60 else {
            return false
        }
        secondOfDay = hour * 3600 + minute * 60
        guard take(":") else { return true }
        guard let second = number(upTo: 2), second <= 60 else { return false }
        secondOfDay += second
        guard take(".") || take(",") else { return true }
        var unit = 100_000_000
        guard isDigit(next) else { return false }
        while isDigit(next) {
            nanosecond += Int(next & 15) * unit
            unit /= 10
            position += 1
        }
        return true
    }

    /// Reads nothing, `Z`, `GMT`, `UTC`, the name of a zone, `+01:00` or `-0800`.
    private mutating func readZone() -> Bool {
        skipSpaces()
        if isLetter(next) {
            guard let hours = Self.hours(ofZone: word()) else { return false }
            zoneOffset = hours * 3600
            return true
        }
        guard next == UInt8(ascii: "+") || next == UInt8(ascii: "-") else { return true }
        let sign = next == UInt8(ascii: "-") ? -1 : 1
        position += 1
        guard let hours = number(upTo: 2) else { return false }
        _ = take(":")
        zoneOffset = sign * (hours * 3600 + (number(upTo: 2) ?? 0) * 60)
        return true
    }

    /// Returns how far a zone is ahead of UTC: those of RFC 5322, section 4.3, and of Europe, which Java writes.
    private static func hours(ofZone name: UInt32) -> Int? {
        switch name {
        case 0x7A, 0x67_6D74, 0x75_7463, 0x7574, 0x77_6574: 0  // z, gmt, utc, ut, wet
        case 0x65_7374, 0x63_6474: -5  // est, cdt
        case 0x65_6474: -4  // edt
        case 0x6D_6474: -6  // mdt; cst is China's too
        case 0x6D_7374, 0x70_6474: -7  // mst, pdt
        case 0x70_7374: -8  // pst
        case 0x63_6574, 0x6D_6574, 0x77_6573: 1  // cet, met, west
        case 0x63_6573, 0x6D_6573, 0x65_6574: 2  // cest, mest, eet
        case 0x65_6573, 0x6D_736B: 3  // eest, msk
        default: nil
        }
    }

    private mutating func readSeparator() -> Bool { take(" ") || take("-") }

    /// Reads `Nov`, or a longer name that begins with it.
    private mutating func readMonth() -> Bool {
        switch word() {
        case 0x6A_616E: month = 1
        case 0x66_6562: month = 2
        case 0x6D_6172: month = 3
        case 0x61_7072: month = 4
        case 0x6D_6179: month = 5
        case 0x6A_756E: month = 6
        case 0x6A_756C: month = 7
        case 0x61_7567: month = 8
        case 0x73_6570: month = 9
        case 0x6F_6374: month = 10
        case 0x6E_6F76: month = 11
        case 0x64_6563: month = 12
        default: return false
        }
        return true
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }

    // MARK: Characters

    /// Reads a number of at least one digit and at most `limit`.
    @inline(__always)
    private mutating func number(upTo limit: Int) -> Int? {
        let end = min(position + limit, text.count)
        guard isDigit(next) else { return nil }
        var value = 0
        while position < end, isDigit(text[position]) {
            value = value * 10 + Int(text[position] & 15)
            position += 1
        }
        return value
    }

    /// Reads a run of letters, and returns the first three in lower case, as the bytes of a number.
    private mutating func word() -> UInt32 {
        var word: UInt32 = 0
        let start = position
        while isLetter(next) {
            if position - start < 3 { word = word << 8 | UInt32(next | 0x20) }
            position += 1
        }
        return word
    }

    @inline(__always)
    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    @inline(__always)
    private mutating func skip(while condition: (UInt8) -> Bool) {
        while position < text.count, condition(text[position]) { position += 1 }
    }

    private mutating func skipWhiteSpace() {
        skip { $0 == UInt8(ascii: " ") || (UInt8(ascii: "\t")...UInt8(ascii: "\r")).contains($0) }
    }

    private mutating func skipSpaces() { skip { $0 == UInt8(ascii: " ") } }

    private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    private func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }
}
