import FileProviding
import Foundation

/// A share as the OCS share API describes it. Numbers come as numbers or texts; empty texts mean nothing.
struct OCSShare: Decodable {
    let id: String
    let type: Int
    let path: String
    let permissions: SharePermissions
    let owner: Sharee
    let receiver: Sharee
    let url: URL?
    let name: String?
    let expiration: Date?
    let hasPassword: Bool
    let state: Share.State?

    private enum Key: String, CodingKey {
        case id, path, permissions, url, name, label, expiration, password, state
        case type = "share_type"
        case owner = "uid_owner"
        case ownerName = "displayname_owner"
        case receiver = "share_with"
        case receiverName = "share_with_displayname"
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        id = try fields.text(.id) ?? ""
        type = try Int(fields.text(.type) ?? "") ?? 0
        path = try fields.text(.path) ?? ""
        permissions = SharePermissions(rawValue: try Int(fields.text(.permissions) ?? "") ?? 0)
        owner = Sharee(
            kind: .user, id: try fields.text(.owner) ?? "", displayName: try fields.text(.ownerName) ?? "")
        let kind = Sharee.Kind(ocs: type)
        let with = try fields.text(.receiver) ?? ""
        receiver =
            kind == .link
            ? Sharee(kind: .link) : Sharee(kind: kind, id: with, displayName: try fields.text(.receiverName) ?? "")
        // A link's password is shown as asterisks in the field that holds the recipient of other shares.
        hasPassword =
            try kind == .link && !with.isEmpty || [.link, .email].contains(kind) && fields.text(.password) != nil
        url = try fields.text(.url).flatMap { URL(string: $0) }
        name = try fields.text(.name) ?? fields.text(.label)
        expiration = try fields.text(.expiration).flatMap(OCSDate.parse)
        state = try fields.text(.state).flatMap { Self.states[$0] }
    }

    private static let states: [String: Share.State] = ["0": .accepted, "1": .pending, "2": .declined]

    /// Returns the account's own share, of an item at this path.
    func share(of path: ItemPath) -> Share {
        Share(
            id: id, path: path, receiver: receiver, owner: owner, permissions: permissions, url: url, name: name,
            expiration: expiration, hasPassword: hasPassword)
    }

    /// Returns somebody's share with the account, of an item that the account has at this path.
    func shareWithMe(at path: ItemPath) -> Share {
        var share = share(of: path)
        share.state = state
        return share
    }
}

extension KeyedDecodingContainer {
    /// Returns a text, or a number as text; `nil` for what is missing, null or empty.
    fileprivate func text(_ key: Key) throws -> String? {
        if let text = try? decodeIfPresent(String.self, forKey: key) { return text.isEmpty ? nil : text }
        return (try? decodeIfPresent(Int64.self, forKey: key)).map(String.init)
    }
}

extension Sharee.Kind {
    /// Creates the kind for a `shareType`.
    init(ocs type: Int) {
        self =
            switch type {
            case 0: .user
            case 1: .group
            case 3: .link
            case 4: .email
            case 6: .remote
            case 7: .team
            default: .other
            }
    }

    /// The `shareType`; `nil` for one that is not known.
    var ocs: Int? {
        switch self {
        case .user: 0
        case .group: 1
        case .link: 3
        case .email: 4
        case .remote: 6
        case .team: 7
        case .other: nil
        }
    }
}

/// The dates of the share API: `2027-06-30`, with or without a time, in UTC.
enum OCSDate {
    static func parse(_ text: String) -> Date? {
        let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
        guard numbers.count >= 3 else { return nil }
        var parts = DateComponents(year: numbers[0], month: numbers[1], day: numbers[2])
        if numbers.count >= 6 { (parts.hour, parts.minute, parts.second) = (numbers[3], numbers[4], numbers[5]) }
        return calendar.date(from: parts)
    }

    /// Returns the day that contains a point in time.
    static func text(_ date: Date) -> String {
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        let pad = { (number: Int?, width: Int) in
            let text = String(number ?? 0)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        return "\(pad(parts.year, 4))-\(pad(parts.month, 2))-\(pad(parts.day, 2))"
    }

    private static var calendar: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }
}
