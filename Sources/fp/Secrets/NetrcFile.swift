import FileProviders
import Foundation

/// Logins by host in the file format of `ftp(1)`, as `curl` reads it: `machine`, `default`, `login`, `password`,
/// `account`, `macdef`, quoted values, `#` comments.
struct NetrcFile {
    private struct Entry {
        /// `nil` for `default`.
        var machine: String?
        var login: String?
        var password: String?
    }

    private var entries: [Entry] = []

    /// Parses the logins in a text.
    init(parsing text: String) {
        var tokens = Tokens(text)
        while let token = tokens.next() {
            switch token {
            case "machine": entries.append(Entry(machine: tokens.next()?.lowercased() ?? ""))
            case "default": entries.append(Entry())
            case "login": setLast(\.login, tokens.next())
            case "password": setLast(\.password, tokens.next())
            case "account": _ = tokens.next()
            case "macdef": tokens.skipParagraph()
            default: break
            }
        }
    }

    /// Reads the logins in a file; none when there is no such file.
    ///
    /// - Throws: a ``Refusal`` that names the file.
    init(reading path: LocalPath) throws {
        let data: Data?
        do { data = try PrivateFile.read(path, limit: 1 << 20) } catch {
            throw Refusal(ShownName.escaped(path.bytes), ErrorText.reason(of: error) ?? "it cannot be read")
        }
        self.init(parsing: data.map { String(decoding: $0, as: UTF8.self) } ?? "")
    }

    /// Returns the login for a host: of this user if one is given, otherwise the first. `default` comes last.
    func login(host: String, user: String?) -> (user: String, password: String)? {
        let fitting = entries.filter { $0.machine == host.lowercased() } + entries.filter { $0.machine == nil }
        for entry in fitting {
            guard let password = entry.password, let name = entry.login ?? user, user == nil || name == user else {
                continue
            }
            return (name, password)
        }
        return nil
    }

    private mutating func setLast(_ key: WritableKeyPath<Entry, String?>, _ value: String?) {
        guard !entries.isEmpty else { return }
        entries[entries.count - 1][keyPath: key] = value
    }
}

extension NetrcFile {
    /// Words separated by white space; a word in double quotes may contain it, with `\n`, `\r`, `\t` and `\x` for `x`.
    private struct Tokens {
        private var rest: Substring

        init(_ text: String) { rest = text[...] }

        mutating func next() -> String? {
            while true {
                rest = rest.drop { $0.isWhitespace }
                guard rest.first == "#" else { break }
                rest = rest.drop { !$0.isNewline }
            }
            guard let first = rest.first else { return nil }
            if first == "\"" { return quoted() }
            let word = rest.prefix { !$0.isWhitespace }
            rest = rest.dropFirst(word.count)
            return String(word)
        }

        /// Skips a macro: everything up to an empty line.
        mutating func skipParagraph() {
            var lastWasNewline = false
            while let character = rest.popFirst() {
                if character.isNewline, lastWasNewline { return }
                lastWasNewline = character.isNewline
            }
        }

        private mutating func quoted() -> String {
            rest.removeFirst()
            var word = ""
            while let character = rest.popFirst(), character != "\"" {
                guard character == "\\", let escaped = rest.popFirst() else {
                    word.append(character)
                    continue
                }
                word.append(["n": "\n", "r": "\r", "t": "\t"][escaped] ?? escaped)
            }
            return word
        }
    }
}
