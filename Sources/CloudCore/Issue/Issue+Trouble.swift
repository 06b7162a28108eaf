import FileProviding
import Foundation

extension Issue.Kind {
    /// What an error says of a vault's own files; `nil` for any other error, a server's full disk for example.
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
