import Foundation

/// A point in time in nanoseconds, as file systems store it; `Date` would round it to about a hundred.
public struct FileTime: Hashable, Sendable, Comparable, Codable {
    /// Nanoseconds since 1970-01-01 00:00 UTC; from 1677 to 2262.
    public var nanoseconds: Int64

    /// Creates a time the given number of nanoseconds after 1970.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Creates a time from whole seconds and nanoseconds; clamped to what 64 bits hold.
    public init(seconds: Int64, nanoseconds: Int64 = 0) {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, carry) = product.addingReportingOverflow(nanoseconds)
        self.nanoseconds = overflow || carry ? (seconds < 0 ? .min : .max) : sum
    }

    /// Creates a time from a date.
    public init(_ date: Date) {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        guard seconds.magnitude < 9e9 else {
            self.init(nanoseconds: seconds < 0 ? .min : .max)
            return
        }
        self.init(seconds: Int64(seconds), nanoseconds: Int64((date.timeIntervalSince1970 - seconds) * 1e9))
    }

    /// The time as a date, exact to about 100 ns.
    public var date: Date { Date(timeIntervalSince1970: Double(nanoseconds) / 1e9) }

    /// Whole seconds since 1970, rounded down.
    public var seconds: Int64 {
        let (quotient, remainder) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// The nanoseconds after the whole seconds, 0 ..< 1,000,000,000.
    public var subsecond: Int64 {
        let rest = nanoseconds % 1_000_000_000
        return rest < 0 ? rest + 1_000_000_000 : rest
    }

    /// Whether the time is the first or the last of the range, as earlier and later ones are.
    package var isLimit: Bool { nanoseconds == .min || nanoseconds == .max }

    /// The largest power of ten, up to a second, that the time is a multiple of, in nanoseconds: a storage that rounds
    /// times is not more precise than that.
    package var granularity: Int64 {
        var granularity: Int64 = 1
        while granularity < 1_000_000_000, nanoseconds % (granularity * 10) == 0 { granularity *= 10 }
        return granularity
    }

    /// Returns whether two times differ by less than this many nanoseconds.
    package func isWithin(_ window: Int64, of other: FileTime) -> Bool {
        let (difference, overflow) = nanoseconds.subtractingReportingOverflow(other.nanoseconds)
        return !overflow && difference.magnitude < UInt64(window)
    }

    /// Returns whether `a` is earlier than `b`.
    public static func < (a: FileTime, b: FileTime) -> Bool { a.nanoseconds < b.nanoseconds }
}

extension FileTime: CustomStringConvertible {
    /// The time in UTC with all its digits: `2026-11-29T23:31:42.000000001Z`.
    public var description: String {
        let digits = String(subsecond)
        let fraction = String(repeating: "0", count: 9 - digits.count) + digits
        let whole = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
        return "\(whole.dropLast()).\(fraction)Z"
    }
}
