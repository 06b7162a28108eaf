import FileProviding
import Foundation

/// Dates in HTTP: written as HTTP requires (RFC 9110, section 5.6.7), parsed as servers write them.
public enum HTTPDate {
    /// Formats a time as HTTP requires, to the second: `Sun, 06 Nov 1994 08:49:37 GMT`.
    public static func format(_ time: FileTime) -> String {
        let date = Date(timeIntervalSince1970: Double(time.seconds))
        let parts = calendar.dateComponents([.weekday, .day, .month, .year, .hour, .minute, .second], from: date)
        return String(
            format: "%@, %02d %@ %04d %02d:%02d:%02d GMT", weekdays[parts.weekday! - 1], parts.day!,
            months[parts.month! - 1], parts.year!, parts.hour!, parts.minute!, parts.second!)
    }

    /// Parses a date in any form of ``DateScanner``; returns `nil` for anything else.
    package static func parse(_ text: UnsafeRawBufferPointer) -> FileTime? {
        var scanner = DateScanner(text)
        return scanner.read() ? scanner.time : nil
    }

    /// Parses the date of a field or property: in a form of RFC 9110, including the obsolete ones, or of ISO 8601.
    /// Returns `nil` for anything else.
    public static func parse(_ text: String) -> FileTime? {
        var text = text
        return text.withUTF8 { parse(UnsafeRawBufferPointer($0)) }
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()
}
