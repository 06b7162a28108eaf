import Foundation

extension FileQuery {
    /// RFC 3339 dates and times in the proleptic Gregorian calendar, years 0000 to 9999.
    enum Timestamp {
        /// Parses `2026-01-31`, or with a time: `2026-01-31T10:00`, `…T10:00:30`, `…:30.25`, each with `Z`, an offset
        /// such as `+01:00`, or neither. What is missing is zero, and a missing offset means UTC.
        static func date(from text: String) -> Date? {
            var fields = Fields(rest: text.utf8[...])
            guard let year = fields.digits(4), fields.skip("-"), let month = fields.digits(2), fields.skip("-"),
                let day = fields.digits(2), 1...12 ~= month, 1...Self.days(in: month, of: year) ~= day
            else { return nil }
            var seconds = 86_400 * (daysSinceReference(year, month, day))
            var fraction = 0.0
            if !fields.rest.isEmpty {
                guard fields.skip("T") || fields.skip("t") || fields.skip(" "), let time = fields.time(),
                    let offset = fields.offset(), fields.rest.isEmpty
                else { return nil }
                seconds += time.seconds - offset
                fraction = time.fraction
            }
            return Date(timeIntervalSinceReferenceDate: Double(seconds) + fraction)
        }

        /// Returns the shortest text with 0, 3, 6 or 9 decimals that parses to exactly this date; nil if none does.
        static func text(for date: Date) -> String? {
            let instant = date.timeIntervalSinceReferenceDate
            guard abs(instant) < 1e12 else { return nil }
            let whole = instant.rounded(.down)
            for (digits, scale) in [(0, 1.0), (3, 1e3), (6, 1e6), (9, 1e9)] {
                let fraction = ((instant - whole) * scale).rounded()
                guard fraction < scale, let text = text(seconds: Int(whole), fraction: Int(fraction), digits: digits)
                else { continue }
                if self.date(from: text).map(Value.date) == .date(date) { return text }
            }
            return nil
        }

        private static func text(seconds: Int, fraction: Int, digits: Int) -> String? {
            let second = seconds - 86_400 * floorDivide(seconds, 86_400)
            let (year, month, day) = civil(daysSinceReference: floorDivide(seconds, 86_400))
            guard 0...9999 ~= year else { return nil }
            let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
            let time = "\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
            return "\(date)T\(time)\(digits == 0 ? "" : "." + padded(fraction, digits))Z"
        }

        private static func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
    }
}

/// The calendar, counted in days from 2001-01-01 with years that begin in March, so that the leap day comes last.
extension FileQuery.Timestamp {
    private static func days(in month: Int, of year: Int) -> Int {
        guard month == 2 else { return [4, 6, 9, 11].contains(month) ? 30 : 31 }
        return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    }

    /// From 0000-03-01 to 2001-01-01.
    private static let daysToReference = 730_791

    private static func daysSinceReference(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month > 2 ? year : year - 1
        let monthsFromMarch = (month + 9) % 12
        let leapDays = floorDivide(year, 4) - floorDivide(year, 100) + floorDivide(year, 400)
        return year * 365 + leapDays + (153 * monthsFromMarch + 2) / 5 + day - 1 - daysToReference
    }

    private static func civil(daysSinceReference days: Int) -> (year: Int, month: Int, day: Int) {
        let days = days + daysToReference
        let era = floorDivide(days, 146_097)
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthsFromMarch = (5 * dayOfYear + 2) / 153
        let month = (monthsFromMarch + 2) % 12 + 1
        return (era * 400 + yearOfEra + (month > 2 ? 0 : 1), month, dayOfYear - (153 * monthsFromMarch + 2) / 5 + 1)
    }

    private static func floorDivide(_ number: Int, _ divisor: Int) -> Int {
        (number - (number % divisor + divisor) % divisor) / divisor
    }
}

/// The rest of the text to parse.
private struct Fields {
    var rest: Substring.UTF8View

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    mutating func digits(_ count: Int) -> Int? {
        let field = rest.prefix(count)
        guard field.count == count, field.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        rest.removeFirst(count)
        return field.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// Parses `10:00`, `10:00:30` or `10:00:30.25`; a leap second is the first second of the next minute.
    mutating func time() -> (seconds: Int, fraction: Double)? {
        guard let hour = digits(2), skip(":"), let minute = digits(2), hour < 24, minute < 60 else { return nil }
        var (second, fraction) = (0, 0.0)
        if skip(":") {
            guard let field = digits(2), field <= 60 else { return nil }
            second = field
            if skip(".") {
                let decimals = rest.prefix { 0x30...0x39 ~= $0 }
                guard !decimals.isEmpty, let value = Double("0." + String(Substring(decimals))) else { return nil }
                rest.removeFirst(decimals.count)
                fraction = value
            }
        }
        return (hour * 3600 + minute * 60 + second, fraction)
    }

    /// Parses an offset; returns seconds east of UTC.
    mutating func offset() -> Int? {
        if rest.isEmpty || skip("Z") || skip("z") { return 0 }
        let sign = skip("+") ? 1 : skip("-") ? -1 : 0
        guard sign != 0, let hour = digits(2), skip(":"), let minute = digits(2), hour < 24, minute < 60 else {
            return nil
        }
        return sign * (hour * 3600 + minute * 60)
    }
}
