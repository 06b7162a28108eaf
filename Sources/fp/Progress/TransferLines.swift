import FileProviders
import Foundation

/// A transfer's receipts and report as lines for users and programs.
struct TransferLines {
    /// The endpoints in whose form the sources' paths are named.
    let sources: CopySources
    /// The endpoint in whose form the targets' paths are named.
    let target: Endpoint
    /// Whether the sources are removed after copying.
    var isMove = false

    /// Returns the item that an error is about, as the user wrote it: the source, or the target for an error about
    /// that; of a directory that could not be removed, the item in it.
    func place(of receipt: TransferReceipt) -> String {
        if receipt.isRemoval {
            let item = target.at(receipt.target)
            return receipt.error.flatMap(item.placeBelow(of:)) ?? item.location.description
        }
        return ShownName.escaped(
            isAboutTarget(receipt) ? target.name(of: receipt.target) : sources.name(of: receipt.source))
    }

    private func isAboutTarget(_ receipt: TransferReceipt) -> Bool {
        switch receipt.error {
        case let error as URLError:
            guard let url = error.userInfo[NSURLErrorFailingURLErrorKey] as? URL else { return false }
            return url.isOnServer(of: target.provider) && !url.isOnServer(of: sources.first.provider)
        case let error:
            // A server's message is about the end that is on a server.
            let areServers = [sources.first, target].map { $0.provider is any HTTPFileProvider }
            if error?.isServersWord ?? false, areServers[0] != areServers[1] { return areServers[1] }
            let path =
                (error as? any FileProviderHTTPError)?.path
                ?? (error as? CocoaError)?.userInfo[NSFilePathErrorKey] as? String
            if receipt.source == receipt.target, let error = error as? CocoaError { return error.isAboutNewFile }
            guard let path, path != receipt.source.description else { return false }
            // Or it is about a folder above it that is missing or not a folder, or its temporary name. An error's path
            // is text, also that of a name that is none.
            let places = sequence(first: receipt.target.asItem) { $0.parent?.asItem }
            let place = places.first { $0.description == path || $0.asDirectory.description == path }
            if let place { return place == receipt.target.asItem || !receipt.source.isInside(place) }
            guard let item = try? ItemPath(validating: path) else { return false }
            return item.lastComponent.map(TemporaryName.isOurs) ?? false
                && item.parent?.description == receipt.target.parent?.description
        }
    }

    /// Returns the error, in this program's words if the storage's do not say what to do.
    func error(of receipt: TransferReceipt) -> (any Error)? {
        guard let error = receipt.error, error.isMissingFolder, isAboutTarget(receipt) else { return receipt.error }
        return Refusal.missingFolder(of: place(of: receipt))
    }

    /// Returns the refusal for a source that was skipped because the destination cannot hold it.
    func refusal(of receipt: TransferReceipt) -> Refusal {
        Refusal(
            place(of: receipt), "not copied (\(receipt.note ?? ""))",
            remedy: "--symlinks follow copies what it points to", isAboutAccess: false)
    }

    /// Returns a line for display, or `nil` when the receipt is not worth one.
    func text(_ receipt: TransferReceipt, isVerbose: Bool) -> String? {
        let isChange = ![.unchanged, .skipped].contains(receipt.outcome)
        guard isVerbose || receipt.isUnfit || receipt.isPlanned && isChange else { return nil }
        let to = ShownName.escaped(target.name(of: receipt.target))
        if let action = action(receipt, to) { return action }
        switch receipt.outcome {
        case .unchanged: return "\(to): unchanged (\(receipt.note ?? ""))"
        case .skipped:
            let from = ShownName.escaped(sources.name(of: receipt.source))
            return "\(from): skipped (\(receipt.note ?? ""))"
        case .copied, .created, .moved, .deleted, .failed: return nil
        }
    }

    /// Returns what was done, or would be.
    private func action(_ receipt: TransferReceipt, _ to: String) -> String? {
        let from = ShownName.escaped(sources.name(of: receipt.source))
        switch receipt.outcome {
        case .copied:
            if receipt.isPlanned { return "would copy \(from) -> \(to) (\(ByteCount.short(receipt.bytes)))" }
            let resumed = receipt.resumedAt > 0 ? "continued at \(ByteCount.short(receipt.resumedAt))" : nil
            let facts = [ByteCount.short(receipt.bytes), resumed, receipt.assurance?.description].compactMap { $0 }
            return "\(from) -> \(to) (\(facts.joined(separator: ", ")))"
        case .created: return receipt.isPlanned ? "would make \(to)" : "\(to): directory made"
        case .moved:
            let old = ShownName.escaped(target.name(of: receipt.source))
            return receipt.isPlanned ? "would move \(old) -> \(to)" : "\(old) -> \(to) (moved)"
        case .deleted: return receipt.isPlanned ? "would remove \(to)" : "\(to): removed"
        case .unchanged, .skipped, .failed: return nil
        }
    }

    /// Returns a JSON object for a receipt.
    ///
    /// - Parameter isRefused: whether it is a failure that the destination cannot hold the item.
    func json(_ receipt: TransferReceipt, isRefused: Bool = false) -> [UInt8] {
        var line = JSONLine()
        let outcome = isRefused ? .failed : isMove && receipt.outcome == .copied ? .moved : receipt.outcome
        line.add("event", outcome.rawValue)
        if receipt.isPlanned { line.add("planned", true) }
        let isAtTarget = receipt.outcome == .moved || receipt.isRemoval
        line.add("source", exact: isAtTarget ? target.name(of: receipt.source) : sources.name(of: receipt.source))
        line.add("target", exact: target.name(of: receipt.target))
        line.add("bytes", receipt.bytes)
        if receipt.resumedAt > 0 { line.add("resumedAt", receipt.resumedAt) }
        line.add("assurance", receipt.assurance?.description)
        line.add("note", receipt.note)
        let error: (any Error)? = isRefused ? refusal(of: receipt) : error(of: receipt)
        line.add("error", error.map { ErrorText.line($0, at: place(of: receipt)) })
        return line.line
    }

    /// Returns the report as a sentence: `12 files copied (3.4M) in 0.5 s, 3 unchanged, 1 failed`, or `1 folder copied
    /// in 0.5 s` for folders that the storage copied with everything in them.
    ///
    /// - Parameters:
    ///   - renamed: the number of items that their storage renamed.
    ///   - refused: the number of sources that could not be copied at all.
    ///   - isPlanned: whether this was a dry run.
    static func summary(
        _ report: TransferReport, verb: String, renamed: Int = 0, refused: Int = 0, isPlanned: Bool = false
    ) -> String {
        let tenths = Int((report.duration.seconds * 10).rounded())
        let files = Count.text(report.copied, "file")
        let folders = Count.text(report.wholeDirectories, "folder")
        let what =
            report.wholeDirectories == 0
            ? "\(files) \(verb) (\(ByteCount.short(report.bytes)))"
            : report.copied == 0
                ? "\(folders) \(verb)" : "\(folders) and \(files) \(verb) (\(ByteCount.short(report.bytes)))"
        var text = "\(what) in \(tenths / 10).\(tenths % 10) s"
        for (count, word) in [
            (renamed, isPlanned ? "to rename" : "renamed"),
            (report.moved, isPlanned ? "to move there" : "moved there"),
            (report.deleted, isPlanned ? "to remove" : "removed"), (report.unchanged, "unchanged"),
            (report.skipped, "skipped"), (report.failures.count + refused, "failed"),
        ] where count > 0 {
            text += ", \(count) \(word)"
        }
        if report.isCutShort { text += "; stopped there, the same command goes on" }
        return text
    }

    /// Returns a JSON object for a source that could not be copied.
    ///
    /// - Parameter place: the location that the error is about, if it is not the source.
    static func json(_ error: any Error, of source: [UInt8], at place: String? = nil) -> [UInt8] {
        var line = JSONLine()
        line.add("event", TransferReceipt.Outcome.failed.rawValue)
        line.add("source", exact: source)
        line.add("error", ErrorText.line(error, at: place ?? ShownName.escaped(source)))
        return line.line
    }

    /// Returns the report as a JSON object.
    ///
    /// - Parameters:
    ///   - refused: how many sources could not be copied.
    ///   - isStopped: whether it is about what was done until a signal came.
    static func json(_ report: TransferReport, refused: Int = 0, isStopped: Bool = false) -> [UInt8] {
        var line = JSONLine()
        line.add("event", "report")
        line.add("copied", report.copied)
        line.add("wholeDirectories", report.wholeDirectories)
        line.add("moved", report.moved)
        line.add("deleted", report.deleted)
        line.add("unchanged", report.unchanged)
        line.add("skipped", report.skipped)
        line.add("directories", report.directories)
        line.add("failed", report.failures.count + refused)
        if report.isCutShort { line.add("cutShort", true) }
        if isStopped { line.add("stopped", true) }
        line.add("bytes", report.bytes)
        line.add("milliseconds", Int64(report.duration.seconds * 1000))
        return line.line
    }
}

extension URL {
    /// Returns whether this is an address of the server that a provider uses.
    func isOnServer(of provider: any FileProviderBasic) -> Bool {
        guard let base = provider.baseURL, let host = base.host(), !host.isEmpty else { return false }
        return self.host() == host && port == base.port
    }
}

extension CocoaError {
    /// Whether it is about what was to be written, and not about a source that could not be removed.
    fileprivate var isAboutNewFile: Bool {
        // Foundation's codes for writing; a missing directory and a lock have others.
        (512..<768).contains(code.rawValue) && !(userInfo[NSUnderlyingErrorKey] is CocoaError)
            || code == .fileNoSuchFile || code == .fileLocking
    }
}

extension Error {
    /// Whether it comes from a reply of an HTTP server.
    fileprivate var isServersWord: Bool {
        let cause = (self as? CocoaError)?.userInfo[NSUnderlyingErrorKey] ?? self
        return cause is any FileProviderHTTPError
    }
}
