import CloudCore
import FileProviding
import Foundation

/// One attempt to send a file: in parts that a later attempt can continue, if the storage supports that and there is a
/// journal; otherwise as a whole.
struct FileUpload: Sendable {
    /// One attempt uses up to two temporary names: for the bytes, and for moving them into place.
    private static let namesPerAttempt = 2

    private let upload: ConnectionOperation.Upload
    private let address: EventTarget.Address
    private let provider: any FileProviderBasic
    private let progress: OperationProgress
    private let file: LocalFileHandle
    /// The number of bytes.
    let size: Int64

    /// - Throws: when the file to be sent cannot be opened.
    init(
        _ upload: ConnectionOperation.Upload, to provider: any FileProviderBasic, counting progress: OperationProgress,
        for address: EventTarget.Address
    ) throws {
        self.upload = upload
        self.address = address
        self.provider = provider
        self.progress = progress
        do { file = try LocalFileHandle(reading: upload.file) } catch  where error.isNoSuchFile {
            throw cocoaError(upload.path, code: .fileReadUnknown, reason: "the vault no longer has what is to be sent")
        } catch {
            throw EventFailure(error, isHere: true)
        }
        size = try asLocalFailure { [file] in try file.size() }
    }

    /// The file's path on the server.
    var path: ItemPath { upload.path }

    /// What is known when a file has been sent.
    enum Outcome {
        /// The server has these bytes, in this version.
        case known(Event.Result)
        /// The server has accepted them; what it has now must be looked up.
        case written(FileObject)
    }

    func run() async throws -> Outcome {
        guard let provider = provider as? any FileProviderReadWrite else {
            throw FileError.unsupported(path, "this storage does not accept files")
        }
        let names = names
        // An upload that is continued already has one of the names, and keeps it to the end.
        let isContinued = try journal?.state(of: upload.file) != nil
        if !isContinued { try await removeLeftovers(names) }
        let result = try await result(sendingTo: provider, names)
        if isContinued { try? await removeLeftovers(names) }
        return result
    }

    private func result(
        sendingTo provider: any FileProviderReadWrite, _ names: TemporaryName.Series
    ) async throws -> Outcome {
        // Not every storage distinguishes versions of one size within one second.
        if address.attempt > 1, case .version = upload.precondition {
            do { if let same = try await sameContents() { return .known(same) } } catch  where error.isNoSuchFile {}
        }
        do {
            return .written(try await TemporaryName.$series.withValue(names) { try await send(to: provider) })
        } catch  where error.isFileExists || error.isItemChanged || error.isNoSuchFile {
            // Either an earlier attempt whose reply was lost, or somebody else with the same bytes. If nothing is there
            // at all, the file is missing.
            guard let same = try await sameContents() else {
                // Contents take no folder's place, whatever the server calls that.
                if try await provider.attributesOfItem(path: path).isDirectory {
                    throw FileError.isADirectory(path, writing: true)
                }
                throw error
            }
            return .known(same)
        }
    }

    /// Returns the outcome if the storage has exactly these bytes, `nil` if it has others.
    ///
    /// - Throws: `.fileReadNoSuchFile` if it has nothing.
    private func sameContents() async throws -> Event.Result? {
        guard try await ContentsComparison(provider).isSame(path, upload.file) else { return nil }
        let same = try await provider.attributesOfItem(path: path)
        return Event.Result(item: ServerVersion(same), contents: same.version)
    }

    private func send(to provider: any FileProviderReadWrite) async throws -> FileObject {
        if let journal, let provider = provider as? any FileProviderPartialWrite {
            do { return try await sendInParts(to: provider, journal) } catch  where error.isUnsupported {}
        }
        let stream = ByteStream(ByteStream.LocalFileSlice(file: file, range: 0..<size))
        return try await provider.write(path: path, from: stream, in: context)
    }

    /// The state of an earlier attempt.
    private var journal: UploadJournal? { upload.journal.map(UploadJournal.init) }

    private func sendInParts(
        to provider: any FileProviderPartialWrite, _ journal: UploadJournal
    ) async throws -> FileObject {
        let state = try journal.state(of: upload.file)
        let isOther = try state == nil && journal.begun != nil
        if isOther {
            // Parts of contents that have been edited since: nothing else knows of them.
            do { try await journal.discard(at: provider) } catch
                where !(error is URLError) && !error.isCancellation
            {}
        }
        let partial = try await provider.beginPartialWrite(path: path, length: size, resuming: state, in: context)
        if isOther { try journal.forget() }
        do {
            // What the server keeps from here on is not found again otherwise.
            try journal.save(partial, of: upload.file, to: path, length: size)
            while partial.acknowledged < size {
                // One part at a time, so that the journal never lags far behind.
                let start = partial.acknowledged
                let end = min(size, start + type(of: partial).partLength(ofFile: size))
                try await partial.append(
                    ByteStream(ByteStream.LocalFileSlice(file: file, range: start..<end)), in: context)
                try journal.save(partial, of: upload.file, to: path, length: size)
            }
            return try await partial.commit(in: context)
        } catch {
            if EventFailure(error).isRefusal {
                // Nothing will be continued, and what was sent takes up space.
                await tidyingUp { try? await partial.abort() }
                try? journal.forget()
            } else {
                try? journal.save(partial, of: upload.file, to: path, length: size)
            }
            throw error
        }
    }

    private var context: OperationContext {
        var options = OperationOptions(createsParents: upload.createsParents)
        options.attributes.modificationTime = upload.modificationTime
        if case .version(let version) = upload.precondition {
            options.overwrite = true
            options.expecting = version
        }
        return OperationContext(options: options, progress: progress)
    }

    /// The temporary names of this attempt, starting after those of earlier ones. They are derived from the command,
    /// not random, so that what a killed program left is found without a record for each file.
    private var names: TemporaryName.Series {
        let id = address.eventID.rawValue
        // FNV-1a, the same in every run.
        let key: @Sendable () -> UInt64 = {
            id.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        }
        return TemporaryName.Series(key: key, used: (address.attempt - 1) * Self.namesPerAttempt)
    }

    /// Removes what an attempt that was killed may have left next to the target.
    ///
    /// - Throws: when the server cannot be reached: then nothing else can be done there either.
    private func removeLeftovers(_ names: TemporaryName.Series) async throws {
        let used = names.names
        guard !used.isEmpty, let parent = path.parent, let operations = provider as? any FileProviderOperations else {
            return
        }
        for name in used {
            do {
                try await operations.perform(.remove(parent.appending(name)), in: OperationContext())
            } catch  where !(error is URLError) && !error.isCancellation {}  // Mostly it is not there.
        }
    }
}

extension EventFailure {
    /// Whether the server will not accept the file at its destination, however often it is sent.
    fileprivate var isRefusal: Bool {
        switch meaning {
        case .refused, .blocked, .occupied, .changed, .missing: true
        default: false
        }
    }
}
