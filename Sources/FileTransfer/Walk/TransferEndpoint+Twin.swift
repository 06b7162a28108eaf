import FileProviding
import Foundation

extension TransferEndpoint {
    /// Whether the storage may let one of two new files replace the other if it takes their names for one. A local
    /// storage gives a name only once.
    var mayMergeNames: Bool { !(provider is any FileProviderLocalAccess) }

    /// Returns whether the storage lists the item by exactly this name, or lists nothing that it may treat as the same
    /// and so hides it.
    func listsThisName() async throws -> Bool {
        guard let parent = path.parent, let name = path.lastComponent else { return true }
        let names = try await provider.contentsOfDirectory(path: parent).map(\.itemName)
        return names.contains(name) || !names.contains { $0.folded == name.folded }
    }

    /// The error for an item whose name the storage gives to another one.
    var twinError: CocoaError {
        cocoaError(path, code: .fileWriteFileExists, reason: "the destination takes its name for another one's")
    }
}
