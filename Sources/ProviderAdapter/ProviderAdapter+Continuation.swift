import CloudCore
import FileProviding

extension ProviderAdapter {
    /// Of an upload what its journal says that the storage holds; of a download what has arrived.
    public func transferred(journal: LocalPath, arrival: LocalPath?) -> Int64 {
        do {
            guard let arrival else { return try UploadJournal(journal).acknowledged() }
            return try LocalFileHandle(reading: arrival).size()
        } catch { return 0 }  // Nothing has been left.
    }

    /// Aborts what the journal's state tells of, where the storage still has it.
    public func discardUpload(journal: LocalPath) async throws {
        guard let begun = try UploadJournal(journal).begun, let provider = provider as? any FileProviderPartialWrite
        else { return }
        let upload = try await provider.beginPartialWrite(
            path: begun.path, length: begun.length, resuming: begun.state,
            in: OperationContext(options: OperationOptions(overwrite: true)))
        try await upload.abort()
    }
}
