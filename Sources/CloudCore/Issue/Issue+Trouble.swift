import FileProviding
import Foundation

extension Issue.Kind {
    /// Creates the issue for a failure of a vault's own files; `nil` for any other error, such as a server's full disk.
    init?(trouble error: any Error, with vault: LocalPath) {
        guard let error = error as? CocoaError, let path = error.userInfo[NSFilePathErrorKey] as? String,
            path.hasPrefix(vault.description)
        else { return nil }
        switch error.code {
        case .fileWriteOutOfSpace: self = .storageFull
        case .fileWriteVolumeReadOnly, .fileWriteNoPermission: self = .storageReadOnly
        case .fileReadCorruptFile: self = .databaseDamaged
        case .fileWriteUnknown, .fileReadUnknown: self = .storageFailing
        default: return nil
        }
    }
}
