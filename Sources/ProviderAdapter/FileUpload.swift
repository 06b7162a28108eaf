import CloudCore
import FileProviding
import Foundation

/// One attempt to send a file: in parts that a later attempt continues where the storage can and there is a journal, else
/// whole.
struct FileUpload: Sendable {
    /// One attempt uses up to two temporary names: for the bytes, and for their way into place.
    private static let namesPerAttempt = 2

    private let upload: ConnectionOperation.Upload
    private let address: EventTarget.Address
    private let provider: any FileProviderBasic
    private let progress: OperationProgress
    private let file: LocalFileHandle
    /// How many bytes there are.
    let size: Int64

    /// - Throws: when the file that is to be sent cannot be opened.
    init(
        _ upload: ConnectionOperation.Upload, to provider: any FileProviderBasic, counting progress: OperationProgress,
        for address: EventTarget.Address
    ) throws {
        self.upload = upload
        self.address = address
        self.provider = provider
        self.progress = progress
        file = try LocalFileHandle(reading: upload.file)
        size = try file.size()
    }

    /// What the file becomes.
    var path: ItemPath { upload.path }

    /// What is known when a file has been sent.
    enum Outcome {
        /// The server has these bytes, in this version.
        case known(Event.Result)
        /// The server took them; what it has now is to be looked at.
        case written(FileObject)
    }

    func run() async throws -> Outcome {
        guard let provider = provider as? any FileProviderReadWrite else {
            throw FileError.unsupported(path, "this storage takes no files")
        }
        let names = names
        // What is continued has one of the names, and keeps it to the end.
        let isContinued = try journal?.state(of: upload.file) != nil
        if !isContinued { try await removeLeftovers(names) }
        let result = try await result(sendingTo: provider, names)
        if isContinued { try? await removeLeftovers(names) }
        return result
    }

    private func result(
        sendingTo provider: any FileProviderReadWrite, _ names: TemporaryName.Series
    ) async throws -> Outcome {
        // Versions of one size within one second are not told apart everywhere.
        if address.attempt > 1, case .version = upload.precondition {
            do { if let same = try await sameContents() { return .known(same) } } catch  where error.isNoSuchFile {}
        }
        do {
            return .written(try await TemporaryName.$series.withValue(names) { try await send(to: provider) })
        } catch  where error.isFileExists || error.isItemChanged || error.isNoSuchFile {
            // An attempt whose reply was lost, or somebody with the same bytes. What is not there at all, is missing.
            guard let same = try await sameContents() else { throw error }
            return .known(same)
        }
    }

    /// The outcome where the storage has these very bytes, `nil` where it has others.
    ///
    /// - Throws: `.fileReadNoSuchFile` where it has nothing.
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

    /// What is known of an earlier attempt.
    private var journal: UploadJournal? { upload.journal.map(UploadJournal.init) }

    private func sendInParts(
        to provider: any FileProviderPartialWrite, _ journal: UploadJournal
    ) async throws -> FileObject {
        let partial = try await provider.beginPartialWrite(
            path: path, length: size, resuming: try journal.state(of: upload.file), in: context)
        do {
            while partial.acknowledged < size {
                // A part at a time, so that the journal is never far behind.
                let start = partial.acknowledged
                let end = min(size, start + type(of: partial).partLength(ofFile: size))
                try await partial.append(
                    ByteStream(ByteStream.LocalFileSlice(file: file, range: start..<end)), in: context)
                try journal.save(partial, of: upload.file, to: path, length: size)
            }
            return try await partial.commit(in: context)
        } catch {
            if EventFailure(error).isRefusal {
                // Nothing is to be continued, and what is there takes up room.
                await Task { try? await partial.abort() }.value
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

    /// The temporary names of this attempt, behind those of the earlier ones. They come from the command, not from
    /// chance, so that what a killed program left is found without a note for each file.
    private var names: TemporaryName.Series {
        let id = address.eventID.rawValue
        // FNV-1a, the same in every run.
        let key: @Sendable () -> UInt64 = {
            id.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        }
        return TemporaryName.Series(key: key, used: (address.attempt - 1) * Self.namesPerAttempt)
    }

    /// Takes away what an attempt that was killed may have left beside the target.
    ///
    /// - Throws: when the server cannot be reached: then nothing else can be done there either.
    private func removeLeftovers(_ names: TemporaryName.Series) async throws {
        guard let parent = path.parent, let operations = provider as? any FileProviderOperations else { return }
        for name in names.names {
            do {
                try await operations.perform(.remove(parent.appending(name)), in: OperationContext())
            } catch  where !(error is URLError) && !error.isCancellation {}  // Mostly it is not there.
        }
    }
}

extension EventFailure {
    /// Whether the server does not take this where it is to go, however often it is sent.
    fileprivate var isRefusal: Bool {
        switch meaning {
        case .refused, .blocked, .occupied, .changed, .missing: true
        default: false
        }
    }
}
