import Foundation

/// Numbers with the units of sizes and durations.
extension FileQuery.Parser {
    /// Seconds.
    private static let durations: [String: Double] = ["w": 604_800, "d": 86_400, "h": 3_600, "m": 60, "s": 1]

    /// The sizes in bytes. With "B" they are the decimal units of drive makers, with "iB" or a letter alone the powers
    /// of 1024.
    private static let sizes: [String: Int64] = {
        var sizes: [String: Int64] = ["b": 1]
        var (decimal, binary): (Int64, Int64) = (1, 1)
        for prefix in ["k", "m", "g", "t", "p", "e"] {
            decimal *= 1_000
            binary *= 1_024
            sizes[prefix + "b"] = decimal
            sizes[prefix + "ib"] = binary
            sizes[prefix] = binary
        }
        return sizes
    }()

    /// Parses a number after its sign, optionally with a size unit: `10`, `2.5`, `1.5 GB`.
    mutating func number(sign: String) throws(FileQueryParseError) -> FileQuery.Value {
        let offset = current.offset
        guard case .number(let digits) = current.kind else { throw unexpected("a number") }
        advance()
        let literal = sign + digits
        guard case .word(let word) = current.kind, let unit = Self.sizes[word.lowercased()] else {
            if let number = Int64(literal) { return .integer(number) }
            return .decimal(try decimal(literal, times: 1, at: offset))
        }
        advance()
        if let bytes = Self.bytes(literal, unit: unit) { return .integer(bytes) }
        return .decimal(try decimal(literal, times: Double(unit), at: offset))
    }

    /// Returns the product as a whole number, computed exactly (0.57 KB is 570 bytes); nil if it is not one.
    private static func bytes(_ literal: String, unit: Int64) -> Int64? {
        let parts = literal.split(separator: ".")
        var decimals = parts.count == 2 ? parts[1] : ""
        while decimals.last == "0" { decimals.removeLast() }
        guard decimals.count <= 18, let digits = Int64(parts[0] + decimals) else { return nil }
        let (product, isTooLarge) = digits.multipliedReportingOverflow(by: unit)
        let scale: Int64 = decimals.reduce(1) { scale, _ in scale * 10 }
        return isTooLarge || product % scale != 0 ? nil : product / scale
    }

    private func decimal(
        _ literal: String, times unit: Double, at offset: Int
    ) throws(FileQueryParseError) -> Double {
        guard let number = Double(literal), (number * unit).isFinite else {
            throw fault("This number is too large", at: offset)
        }
        return number * unit
    }

    /// Parses the durations that follow a date, and returns the date moved by them: `- 7d + 12h`.
    mutating func shifted(_ date: Date) throws(FileQueryParseError) -> FileQuery.Value {
        var date = date
        while current.kind == .sign("+") || current.kind == .sign("-") {
            let sign = current.kind == .sign("-") ? "-" : ""
            advance()
            let offset = current.offset
            guard case .number(let digits) = current.kind, case .word(let word) = following.kind,
                let unit = Self.durations[word.lowercased()]
            else { throw unexpected("a duration such as 7d (of w, d, h, m, s)") }
            date += try decimal(sign + digits, times: unit, at: offset)
            advance()
            advance()
        }
        return .date(date)
    }
}
