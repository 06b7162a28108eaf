import FileProviding
import Foundation

/// A kind of error that the contract requires, by its meaning.
public struct ExpectedError: Sendable, CustomStringConvertible {
    /// The kind in a few words.
    public let description: String
    let matches: @Sendable (any Error) -> Bool

    /// Creates a kind of error.
    public init(_ description: String, _ matches: @escaping @Sendable (any Error) -> Bool) {
        self.description = description
        self.matches = matches
    }

    /// There is no such item.
    public static let noSuchFile = ExpectedError("\"no such file\" naming the path") { $0.isNoSuchFile && $0.namesPath }
    /// Something is there already.
    public static let exists = ExpectedError("\"exists already\" naming the path") { $0.isFileExists && $0.namesPath }
    /// A directory was needed.
    public static let notADirectory = ExpectedError("\"not a directory\"") { $0.isNotADirectory && $0.namesPath }
    /// A file was needed.
    public static let isADirectory = ExpectedError("\"is a directory\"") { $0.isADirectory && $0.namesPath }
    /// There is no directory for the item: it is missing, or a file.
    public static let noSuchPlace = ExpectedError("\"no such file\" or \"not a directory\"") {
        $0.isNoSuchFile || $0.isNotADirectory
    }
    /// No item has this identifier, or items have none here.
    public static let noSuchIdentifier = ExpectedError("\"no such file\" or \"not supported\"") {
        $0.isNoSuchFile || $0.isUnsupported
    }
    /// The item has another version by now.
    public static let changed = ExpectedError("\"has changed\"") { $0.isItemChanged }
    /// Not supported here.
    public static let unsupported = ExpectedError("\"not supported\"") { $0.isUnsupported }
    /// The task was cancelled: the asynchronous form's own error.
    public static let cancelled = ExpectedError("CancellationError") { $0 is CancellationError }
    /// Cancelled or vetoed, as the callback forms and delegates report it.
    public static let userCancelled = ExpectedError("\"cancelled by the user\"") {
        ($0 as? CocoaError)?.code == .userCancelled
    }
    /// An invalid name for an item, or a path that leaves the root.
    public static let invalidName = ExpectedError("\"invalid name\"") {
        [.fileReadInvalidFileName, .fileWriteInvalidFileName].contains(($0 as? CocoaError)?.code)
    }
    /// An invalid argument.
    public static let invalidArgument = ExpectedError("\"invalid argument\"") {
        (($0 as? CocoaError)?.userInfo[NSUnderlyingErrorKey] as? POSIXError)?.code == .EINVAL
    }
    /// More or fewer bytes than announced.
    public static let wrongLength = ExpectedError("\"wrong length\"") {
        ($0 as? CocoaError)?.code == .fileWriteUnknown
    }
    /// The connection to the storage broke.
    public static let transport = ExpectedError("an error of transport") { $0 is URLError }
    /// Any error of the kinds that providers may throw, provided that it has a description.
    public static let any = ExpectedError("an error of Foundation's kinds") { error in
        (error is CocoaError || error is URLError || error is any FileProviderHTTPError || error is CancellationError)
            && !error.localizedDescription.isEmpty
    }
}

extension Error {
    /// Whether the error names the item that it is about.
    fileprivate var namesPath: Bool {
        let path = (self as? CocoaError)?.userInfo[NSFilePathErrorKey] as? String
        return path?.isEmpty == false && localizedDescription.contains(path ?? "")
    }
}
