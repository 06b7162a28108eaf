import ArgumentParser
import FileProviders
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

/// The rights of a recipient: words separated by commas.
struct ShareAllowance: ExpressibleByArgument {
    static let help = ArgumentHelp(
        "What is allowed: read, update, create, delete, share, with commas between.", valueName: "list")
    private static let words: [(String, SharePermissions)] = [
        ("read", .read), ("update", .update), ("create", .create), ("delete", .delete), ("share", .share),
    ]

    let permissions: SharePermissions

    init(permissions: SharePermissions) { self.permissions = permissions }

    init?(argument: String) {
        var all: SharePermissions = []
        for word in argument.split(separator: ",") {
            guard let known = Self.words.first(where: { $0.0 == word }) else { return nil }
            all.insert(known.1)
        }
        guard !all.isEmpty else { return nil }
        permissions = all
    }

    /// The words again.
    var text: String { Self.words.filter { permissions.contains($0.1) }.map(\.0).joined(separator: ",") }
}
