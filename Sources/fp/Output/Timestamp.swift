import FileProviders
import Foundation

/// Times as text. Foundation's formatters would cost more at start than everything else.
enum Timestamp {
    /// Returns `2026-11-21T12:26:17.25Z` (RFC 3339), the fraction without trailing zeros and only if there is one.
    static func rfc3339(_ time: FileTime) -> String {
        var moment = time_t(time.seconds)
        var parts = tm()
        gmtime_r(&moment, &parts)
        return date(parts, separator: "T") + seconds(parts) + fraction(time.subsecond) + "Z"
    }

    /// Returns `2026-11-21 12:26`, in the user's time zone.
    static func minute(_ time: FileTime) -> String { date(localParts(time), separator: " ") }

    /// Returns `2026-11-21 12:26:17.25 +0100`, in the user's time zone.
    static func full(_ time: FileTime) -> String {
        let parts = localParts(time)
        let offset = parts.tm_gmtoff / 60
        let zone = (offset < 0 ? " -" : " +") + padded(abs(offset) / 60, 2) + padded(abs(offset) % 60, 2)
        return date(parts, separator: " ") + seconds(parts) + fraction(time.subsecond) + zone
    }

    private static func localParts(_ time: FileTime) -> tm {
        var moment = time_t(time.seconds)
        var parts = tm()
        localtime_r(&moment, &parts)
        return parts
    }

    private static func date(_ parts: tm, separator: String) -> String {
        padded(Int(parts.tm_year) + 1900, 4) + "-" + padded(Int(parts.tm_mon) + 1, 2) + "-"
            + padded(Int(parts.tm_mday), 2)
            + separator + padded(Int(parts.tm_hour), 2) + ":" + padded(Int(parts.tm_min), 2)
    }

    private static func seconds(_ parts: tm) -> String { ":" + padded(Int(parts.tm_sec), 2) }

    private static func fraction(_ nanoseconds: Int64) -> String {
        guard nanoseconds != 0 else { return "" }
        let digits = padded(Int(nanoseconds), 9)
        return "." + digits[...digits.lastIndex { $0 != "0" }!]
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
