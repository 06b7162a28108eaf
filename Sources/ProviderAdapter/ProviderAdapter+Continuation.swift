import CloudCore
import FileProviding

extension ProviderAdapter {
    /// Returns, for an upload, what the storage holds according to the journal; for a download, what has arrived.
    public func transferred(journal: LocalPath, arrival: LocalPath?) -> Int64 {
        do {
            guard let arrival else { return try UploadJournal(journal).acknowledged() }
            return try LocalFileHandle(reading: arrival).size()
        } catch { return 0 }  // Nothing has been left.
    }

    /// Aborts the upload that the journal's state describes, if the storage still has it.
    public func discardUpload(journal: LocalPath) async throws {
        guard let provider = provider as? any FileProviderPartialWrite else { return }
        try await UploadJournal(journal).discard(at: provider)
    }
}
