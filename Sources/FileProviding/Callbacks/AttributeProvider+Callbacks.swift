import Foundation

extension AttributeProvider {
    /// Sets attributes of an item and returns the item as it is afterwards.
    @discardableResult
    public func setAttributes(
        _ attributes: ItemAttributes, of path: ItemPath,
        completionHandler: @escaping @Sendable (_ file: FileObject?, _ error: (any Error)?) -> Void
    ) -> Progress {
        callback().answer(completionHandler) {
            try await setAttributes(attributes, of: path)
        }
    }
}
