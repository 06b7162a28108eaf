import FileProviding
import Glibc

/// The names of users and groups, each looked up once.
final class AccountNames: Sendable {
    static let shared = AccountNames()

    private let users = Locked<[uid_t: String]>([:])
    private let groups = Locked<[gid_t: String]>([:])

    /// Returns the user's name, or the number if there is no name.
    func user(_ id: uid_t) -> String {
        if let known = users.withLock({ $0[id] }) { return known }
        let name = UserDatabase.user(id)?.name ?? String(id)
        users.withLock { $0[id] = name }
        return name
    }

    /// Returns the group's name, or the number if there is no name.
    func group(_ id: gid_t) -> String {
        if let known = groups.withLock({ $0[id] }) { return known }
        let name = UserDatabase.group(id) ?? String(id)
        groups.withLock { $0[id] = name }
        return name
    }
}

/// This machine's users and groups.
enum UserDatabase {
    static func user(_ id: uid_t) -> (name: String, home: String)? {
        withGrowingBuffer { buffer, size in
            var entry = passwd()
            var found: UnsafeMutablePointer<passwd>?
            let failure = getpwuid_r(id, &entry, buffer, size, &found)
            return (failure, found.map { (String(cString: $0.pointee.pw_name), String(cString: $0.pointee.pw_dir)) })
        }
    }

    static func group(_ id: gid_t) -> String? {
        withGrowingBuffer { buffer, size in
            var entry = Glibc.group()
            var found: UnsafeMutablePointer<Glibc.group>?
            let failure = getgrgid_r(id, &entry, buffer, size, &found)
            return (failure, found.map { String(cString: $0.pointee.gr_name) })
        }
    }

    /// Calls again with a larger buffer while the entry does not fit.
    private static func withGrowingBuffer<Entry>(
        _ ask: (UnsafeMutablePointer<CChar>, Int) -> (failure: Int32, entry: Entry?)
    ) -> Entry? {
        var size = 1024
        while size <= 1 << 20 {
            var buffer = [CChar](repeating: 0, count: size)
            let answer = buffer.withUnsafeMutableBufferPointer { ask($0.baseAddress!, $0.count) }
            if answer.failure != ERANGE { return answer.entry }
            size *= 4
        }
        return nil
    }
}
