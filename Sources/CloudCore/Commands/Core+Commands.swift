import FileProviding
import Foundation

extension Core {
    /// Accepts a command. When this returns, the command shows in the vault, and its record and contents are on the
    /// medium; if the medium fails, an issue reports it. The command is sent to the server in its turn, while the core
    /// runs (``run(every:budget:clock:)``), is told to settle (``settle(waiting:)``), or somebody awaits the
    /// ``PendingCommand/item`` of this or any other command.
    ///
    /// What the server refuses is undone. Whoever has the command learns of it from ``PendingCommand/item``; if nobody
    /// has it any more, an issue tells.
    ///
    /// Two changes of a file's contents are one command as long as nothing of the first can have reached the server:
    /// both have the first one's identifier.
    ///
    /// - Throws: whatever makes the command impossible as far as the vault knows: `.fileWriteFileExists`,
    ///   `.fileNoSuchFile`, "is a directory"; what the stream throws.
    public func submit(_ command: Command) async throws -> PendingCommand {
        let id = EventID()
        let command = try await submit(command, as: id)
        if command.id != id { commands.finish(id, .failure(CancellationError())) }
        return command
    }

    /// - Parameter trigger: why a download is requested.
    func submit(
        _ command: Command, as id: EventID, for trigger: DownloadTrigger = .asked
    ) async throws -> PendingCommand {
        if case .download(let item) = command { _ = try await forgetMissingCopy(of: item) }
        let contents = try await contents(of: command)
        defer { if let contents { vault.letGo(contents.copy) } }
        // Before anybody can be working on it.
        let hand = trigger == .asked ? commands.handOut : commands.command
        _ = hand(id)
        let (submission, pending): (ItemWriter.Submission, PendingCommand)
        do {
            (submission, pending) = try await vault.database.write { writer in
                let submission = try writer.submit(command, contents, for: trigger, id: id)
                // An earlier command that this one joins cannot end before this transaction is committed, so its end is
                // reported to everyone who waits for it.
                let pending = hand(submission.id)
                pending.refer(to: submission.item)
                return (submission, pending)
            }
        } catch {
            if let copy = contents?.copy { try? vault.remove(copy) }
            commands.finish(id, .failure(error))
            throw error
        }
        // A policy's downloads need no flush: the policy requests them again.
        if trigger == .asked {
            do { try vault.database.flush() } catch { _ = await issueBoard.note(error) }
        }
        return try await accepted(submission, as: pending)
    }

    /// Returns an unfinished command, from this run of the program or an earlier one; `nil` when it is finished.
    public func pendingCommand(_ id: EventID) async throws -> PendingCommand? {
        // In a write transaction, so that the command cannot end before it is handed out.
        let found = try await vault.database.write { [commands] writer in
            try writer.reader.record(id).map { ($0, commands.handOut(id)) }
        }
        guard let (record, command) = found else { return nil }
        command.refer(to: record.itemID)
        _ = command.counter(from: transferred(record), of: record.total)
        return command
    }

    /// Returns the unfinished commands, in the order in which they were given.
    public func syncRecords() async throws -> [SyncRecord] {
        try await vault.database.read { try $0.records(after: 0) }.map(presented)
    }

    /// Returns an item's unfinished commands, in progress or waiting; ``SyncRecord/kind`` says what each one does.
    public func syncRecords(of item: LocalID) async throws -> [SyncRecord] {
        try await vault.database.read { try $0.records(of: item) }.map(presented)
    }

    private func presented(_ record: SyncRecord) -> SyncRecord {
        var record = record
        record.completed = transferred(record)
        return record
    }

    /// Returns the progress of a transfer, including that of earlier runs of the program.
    private func transferred(_ record: SyncRecord) -> Int64 {
        guard record.isContinuable, record.attempts > 0 else { return record.completed }
        let arrival = record.kind == .download ? vault.arrival(of: record.id) : nil
        let journal = vault.journal(of: record.id)
        return max(record.completed, connection.transferred(journal: journal, arrival: arrival))
    }

    /// Returns the path of the vault's copy of an item's contents, or `nil` if there is none. Only read the file, never
    /// change it; use ``modify(_:contents:)`` for that.
    public func localCopy(of item: LocalID) async throws -> LocalPath? {
        let copy: LocalCopy?
        do {
            copy = try await vault.database.write { writer in
                // Recorded along with the read: it does not expire in between.
                let copy = try writer.reader.copy(of: item)
                if copy != nil { try writer.noteUse(of: item) }
                return copy
            }
        } catch  where Issue.Kind(trouble: error, with: vault.folder) != nil {
            // The copy exists all the same, and does not expire either.
            copy = try await vault.database.read { try $0.copy(of: item) }
        }
        return try await forgetMissingCopy(of: item) ? nil : copy.map(vault.path(of:))
    }

    /// Forgets a copy whose file is gone, as after a power failure between the removal of the one and of the other.
    /// Contents that only the vault had are not forgotten: their command fails, and says so.
    ///
    /// - Returns: whether it did.
    private func forgetMissingCopy(of item: LocalID) async throws -> Bool {
        guard let copy = try await vault.database.read({ try $0.copy(of: item) }),
            !Folder.exists(vault.path(of: copy))
        else { return false }
        return try await vault.database.write { writer in
            guard try writer.reader.item(item)?.cloudStatus == .localCopy, try writer.reader.copy(of: item) == copy
            else { return false }
            try writer.setCopy(of: item, nil, version: nil)
            return true
        }
    }

    private func contents(of command: Command) async throws -> NewContents? {
        switch command {
        case .upload(let stream, let name, _):
            return try await NewContents(stream, named: name, isNew: true, into: vault)
        case .modify(let id, let stream):
            let name = try await item(id)?.itemName
            return try await NewContents(
                stream, named: name ?? ItemName(validating: "contents"), isNew: false, into: vault)
        case .createFolder, .download, .move, .copy, .update, .delete:
            return nil
        }
    }

    private func accepted(
        _ submission: ItemWriter.Submission, as command: PendingCommand
    ) async throws -> PendingCommand {
        for copy in submission.released { try? vault.remove(copy) }
        for id in submission.withdrawn { commands.finish(id, .failure(CocoaError(.userCancelled))) }
        if submission.isDone, let item = try await item(submission.item) {
            commands.finish(submission.id, .success(item))
        }
        await engine.wake(changed: submission.changed)
        return command
    }
}

extension ItemWriter {
    /// Applies a command's effects to the vault immediately.
    ///
    /// - Parameters:
    ///   - contents: the contents of an upload or a modification.
    ///   - trigger: why a download is requested.
    fileprivate func submit(
        _ command: Command, _ contents: NewContents?, for trigger: DownloadTrigger, id: EventID
    ) throws -> Submission {
        switch command {
        case .createFolder(let name, let parent): try createFolder(name, in: parent, id: id)
        case .upload(_, let name, let parent): try upload(contents!, as: name, in: parent, id: id)
        case .modify(let item, _): try modify(item, contents!, id: id)
        case .download(let item): try download(item, for: trigger, id: id)
        case .move(let item, let parent, let name): try move(item, to: parent, as: name, id: id)
        case .copy(let item, let parent, let name): try copy(item, to: parent, as: name, id: id)
        case .update(let item, let attributes): try update(item, attributes, id: id)
        case .delete(let item): try delete(item, id: id)
        }
    }
}
