import FileProviding
import Foundation
import Testing

@testable import SFTPFiles

/// Replacing a file where the server's RENAME takes no name that is taken: the old file steps aside.
@Suite struct ReplacingTests {
    private let folder = Locked<Set<String>>(["file"])
    /// The names that RENAME has given.
    private let renamed = Locked<[String]>([])
    private let task = Locked<Task<FileObject?, any Error>?>(nil)

    @Test("a write that is cancelled half-way leaves a file under the name")
    func cancelled() async throws {
        _ = await replace {
            while task.withLock({ $0?.cancel() }) == nil { usleep(100) }
        }
        #expect(folder.withLock { $0 } == ["file"])
    }

    @Test("a write that is cancelled while its file is opened leaves nothing of it")
    func cancelledAtOpening() async throws {
        let result = await replace(opening: {
            while task.withLock({ $0?.cancel() }) == nil { usleep(100) }
        }) {}
        #expect(throws: CancellationError.self) { _ = try result.get() }
        #expect(folder.withLock { $0 } == ["file"])
    }

    /// As with pkg/sftp, whose RENAME replaces what is there. The name is taken between the look at it and the hard
    /// link.
    @Test("a new file does not replace one that came meanwhile, whatever RENAME does")
    func overtakenByALink() async throws {
        let (looks, isRenamed) = (Locked(0), Locked(false))
        let provider = SFTPFileProvider.scripted(
            ScriptedTransport(greeting: ScriptedTransport.version(offering: [.hardlink])) { request in
                let text = String(decoding: request.body, as: UTF8.self)
                switch request.type {
                case .open: return .send(ScriptedTransport.handle(request.id, [1]))
                case .lstat where !text.contains(".fp-"):
                    let isThere = looks.withLock { looks in
                        looks += 1
                        return looks > 2
                    }
                    if isThere { return .send(ScriptedTransport.attributes(request.id, size: 3)) }
                    return .send(ScriptedTransport.status(request.id, .noSuchFile))
                case .fstat, .lstat, .stat: return .send(ScriptedTransport.attributes(request.id, size: 4))
                case .extended where text.contains("hardlink"):
                    looks.withLock { $0 = 2 }
                    return .send(ScriptedTransport.status(request.id, .failure))
                case .rename:
                    isRenamed.withLock { $0 = true }
                    return .send(ScriptedTransport.status(request.id, .ok))
                default: return .send(ScriptedTransport.status(request.id, .ok))
                }
            })
        await #expect {
            try await provider.writeContents(path: "file", contents: Data("text".utf8))
        } throws: {
            $0.isFileExists
        }
        #expect(!isRenamed.withLock { $0 } && looks.withLock { $0 } > 2)
    }

    @Test("a writer that interrupts another one's two turns wins, and no old file is left")
    func raced() async throws {
        let result = await replace { folder.withLock { _ = $0.insert("file") } }
        #expect { try result.get() } throws: { "\($0)".contains("changed meanwhile") }
        #expect(folder.withLock { $0 } == ["file"])
    }

    @Test("writers that repeatedly take the name and set its file aside leave no old file")
    func racedAgainAndAgain() async throws {
        let result = await replace(contended: 1...6) { folder.withLock { _ = $0.insert("file") } }
        #expect { try result.get() } throws: { "\($0)".contains("changed meanwhile") }
        #expect(folder.withLock { $0 } == ["file"])
    }

    @Test("a writer succeeds although another has set the old file aside or taken the name")
    func overtaken() async throws {
        _ = try await replace(settingAside: [2]) {}.get()
        #expect(folder.withLock { $0 } == ["file"])
        #expect(renamed.withLock { $0 } == ["file"])

        // The other writer takes the name again, so our first turn sets its file aside.
        renamed.withLock { $0 = [] }
        _ = try await replace(settingAside: [2], contended: 1...1) {}.get()
        #expect(folder.withLock { $0 } == ["file"])
        #expect(renamed.withLock { $0.count } == 2)
    }

    @Test("the old file never has one of the names that a copy removes when it fails")
    func aside() async throws {
        let seen = Locked<Set<String>>([])
        let series = TemporaryName.Series(key: { 7 })
        try await TemporaryName.$series.withValue(series) {
            _ = try await replace { seen.withLock { $0 = folder.withLock { $0 } } }.get()
        }
        let names = Set(series.names.map(\.description))
        // What is being written has one; what lies aside has another name.
        #expect(seen.withLock { $0 }.subtracting(names).count == 1)
        #expect(seen.withLock { $0 }.intersection(names).count == 1)
    }

    @Test("a connection that is lost between two steps leaves a file under the name, and none aside", arguments: 1...2)
    func lost(step: Int) async throws {
        for isDone in [false, true] {
            folder.withLock { $0 = ["file"] }
            let series = TemporaryName.Series(key: { 7 })
            let result = await TemporaryName.$series.withValue(series) {
                await replace(losing: (step, isDone: isDone)) {}
            }
            #expect { try result.get() } throws: { ($0 as? URLError)?.code == .networkConnectionLost }
            // What was being written can be removed by whoever tries again.
            #expect(folder.withLock { $0 }.subtracting(series.names.map(\.description)) == ["file"])
        }
    }

    @Test("what has taken its place unheard is not replaced by what stepped aside, where RENAME replaces")
    func replacing() async throws {
        let result = await replace(losing: (2, isDone: true), byReplacing: true) {}
        #expect(throws: URLError.self) { _ = try result.get() }
        #expect(folder.withLock { $0 } == ["file"])
        #expect(renamed.withLock { $0 }.filter { $0 == "file" }.count == 1)
    }

    @Test("a connection that is lost before the old file is removed leaves none aside", arguments: [false, true])
    func lostBeforeRemoval(isDone: Bool) async throws {
        _ = try await replace(removing: isDone ? .hangUpAfter : .hangUpBefore) {}.get()
        #expect(folder.withLock { $0 } == ["file"])
    }

    @Test("an old file that cannot be removed is reported by name")
    func keptAside() async throws {
        let result = await replace(removing: .refuse) {}
        let left = try #require(folder.withLock { $0.first { $0 != "file" } })
        #expect(folder.withLock { $0.count } == 2)
        #expect { try result.get() } throws: {
            $0.localizedDescription.contains("taken its place") && $0.localizedDescription.contains(left)
        }
    }

    /// What happens to REMOVE: the server disconnects before or after the first one, or refuses every one.
    private enum Removal { case hangUpBefore, hangUpAfter, refuse }

    /// Replaces the file.
    ///
    /// - Parameters:
    ///   - lost: at which RENAME the server hangs up, and whether it has done it then.
    ///   - replaces: whether RENAME takes names that are taken.
    ///   - removal: what happens to REMOVE; `nil` if it succeeds.
    ///   - looks: the LSTATs of the name after which another writer sets the file aside.
    ///   - contended: the LSTATs of the name, counted from the first RENAME, that find it free although another writer
    ///     takes it right afterwards.
    ///   - opening: happens when the new file has just been opened.
    ///   - meanwhile: happens when the old file has just stepped aside.
    private func replace(
        losing lost: (step: Int, isDone: Bool)? = nil, byReplacing replaces: Bool = false,
        removing removal: Removal? = nil, settingAside looks: Set<Int> = [], contended: ClosedRange<Int>? = nil,
        opening: @escaping @Sendable () -> Void = {},
        _ meanwhile: @escaping @Sendable () -> Void
    ) async -> Result<FileObject?, any Error> {
        let (folder, renamed, renames, removals) = (folder, renamed, Locked(0), Locked(0))
        let (looked, lookedSince) = (Locked(0), Locked(0))
        let provider = SFTPFileProvider.scripted(
            ScriptedTransport { request in
                let names = Self.names(in: request)
                if request.type == .rename {
                    renames.withLock { $0 += 1 }
                    if renames.withLock({ $0 }) == lost?.step, lost?.isDone == false { return .hangUp(after: []) }
                }
                if request.type == .remove {
                    removals.withLock { $0 += 1 }
                    if removal == .refuse { return .send(ScriptedTransport.status(request.id, .permissionDenied)) }
                    if removal == .hangUpBefore, removals.withLock({ $0 }) == 1 { return .hangUp(after: []) }
                }
                if request.type == .lstat, names[0] == "file" {
                    looked.withLock { $0 += 1 }
                    if renames.withLock({ $0 }) > 0 { lookedSince.withLock { $0 += 1 } }
                    if contended?.contains(lookedSince.withLock { $0 }) == true {
                        folder.withLock { _ = $0.insert("file") }
                        return .send(ScriptedTransport.status(request.id, .noSuchFile))
                    }
                }
                let code: SFTPStatus.Code = folder.withLock { folder in
                    switch request.type {
                    case .open: return folder.insert(names[0]).inserted ? .ok : .failure
                    case .lstat, .stat: return folder.contains(names[0]) ? .ok : .noSuchFile
                    case .remove: return folder.remove(names[0]) != nil ? .ok : .noSuchFile
                    case .rename:
                        guard folder.contains(names[0]) else { return .noSuchFile }
                        guard folder.insert(names[1]).inserted || replaces else { return .failure }
                        renamed.withLock { $0.append(names[1]) }
                        folder.remove(names[0])
                        return .ok
                    default: return .ok
                    }
                }
                if request.type == .rename, renames.withLock({ $0 }) == lost?.step { return .hangUp(after: []) }
                if request.type == .remove, removal == .hangUpAfter, removals.withLock({ $0 }) == 1 {
                    return .hangUp(after: [])
                }
                if request.type == .lstat, names[0] == "file", looks.contains(looked.withLock { $0 }) {
                    folder.withLock { _ = $0.remove("file") }
                }
                if request.type == .open { opening() }
                if request.type == .rename, names[0] == "file" { meanwhile() }
                switch request.type {
                case .open where code == .ok: return .send(ScriptedTransport.handle(request.id))
                case .lstat where code == .ok, .stat where code == .ok, .fstat:
                    return .send(ScriptedTransport.attributes(request.id, size: 5))
                default: return .send(ScriptedTransport.status(request.id, code))
                }
            })
        let writing = Task {
            try await provider.writeContents(path: "file", contents: Data("bytes".utf8), overwrite: true)
        }
        task.withLock { $0 = writing }
        return await writing.result
    }

    /// The last parts of the paths that a request begins with.
    private static func names(in request: ScriptedTransport.Request) -> [String] {
        var (rest, names) = (request.body[...], [String]())
        while names.count < 2, rest.count >= 4 {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            guard length <= rest.count - 4 else { break }
            names.append(String(decoding: rest.dropFirst(4).prefix(length), as: UTF8.self))
            rest = rest.dropFirst(4 + length)
        }
        return names.map { String($0.split(separator: "/").last ?? "") }
    }
}
