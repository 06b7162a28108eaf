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
}
