import Foundation

/// Dates as HTTP writes them (RFC 9110, section 5.6.7).
package enum HTTPDate {
    /// The form that is sent: `Sun, 06 Nov 1994 08:49:37 GMT`.
    package static func format(_ date: Date) -> String {
        let parts = calendar.dateComponents([.weekday, .day, .month, .year, .hour, .minute, .second], from: date)
        return String(
            format: "%@, %02d %@ %04d %02d:%02d:%02d GMT", weekdays[parts.weekday! - 1], parts.day!,
            months[parts.month! - 1].capitalized, parts.year!, parts.hour!, parts.minute!, parts.second!)
    }

    /// Any of the three forms that must be understood; also with a numeric zone, as some servers write it.
    package static func parse(_ text: String) -> Date? {
        var words = text.split { " ,".contains($0) }.map(String.init)
        guard words.count >= 3 else { return nil }
        words.removeFirst()  // The weekday.
        if words[0].contains("-") {
            words.replaceSubrange(0..<1, with: words[0].split(separator: "-").map(String.init))
        }
        guard words.count >= 4 else { return nil }
        var parts = DateComponents()
        if let month = months.firstIndex(of: words[0].lowercased()), words.count == 4 {
            // Nov  6 08:49:37 1994
            parts.month = month + 1
            parts.day = Int(words[1])
            parts.year = Int(words[3])
            words.swapAt(2, 3)
        } else {
            // 06 Nov 1994 08:49:37 GMT, or 06-Nov-94 08:49:37 GMT
            parts.day = Int(words[0])
            parts.month = months.firstIndex(of: words[1].lowercased()).map { $0 + 1 }
            parts.year = Int(words[2]).map { words[2].count > 2 ? $0 : $0 < 70 ? 2000 + $0 : 1900 + $0 }
        }
        let time = words[3].split(separator: ":").compactMap { Int($0) }
        guard time.count == 3, parts.day != nil, parts.month != nil, parts.year != nil else { return nil }
        (parts.hour, parts.minute, parts.second) = (time[0], time[1], time[2])
        guard let date = calendar.date(from: parts) else { return nil }
        guard words.count > 4, let zone = Int(words[4]) else { return date }
        return date - Double(zone / 100 * 3600 + zone % 100 * 60)
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()
}
