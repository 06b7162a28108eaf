import ArgumentParser
import Foundation

/// A day, `2027-06-30`.
struct ShareDay: ExpressibleByArgument {
    /// The beginning of the day in UTC.
    let date: Date

    init?(argument: String) {
        let numbers = argument.split(separator: "-").compactMap { Int($0) }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        guard argument.utf8.count == 10, numbers.count == 3 else { return nil }
        let parts = DateComponents(year: numbers[0], month: numbers[1], day: numbers[2])
        guard let date = calendar.date(from: parts),
            calendar.dateComponents([.year, .month, .day], from: date) == parts
        else { return nil }
        self.date = date
    }
}
