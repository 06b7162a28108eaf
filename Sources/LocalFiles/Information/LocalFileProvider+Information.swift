import FileProviding
import Foundation

extension LocalFileProvider: ExtendedFileProvider {
    /// The longest edge of a thumbnail by default, in pixels.
    static let thumbnailEdge = 256

    /// Returns whether ``information`` has a generator for the extension.
    public func thumbnailOfFileSupported(path: ItemPath) -> Bool { information.thumbnailing(of: path) != nil }

    /// Returns whether ``information`` has a generator for the extension.
    public func propertiesOfFileSupported(path: ItemPath) -> Bool { information.describing(path) != nil }

    /// Makes the thumbnail each time from the open file; within 256 × 256 pixels by default.
    public func thumbnailOfFile(path: ItemPath, dimension: PixelSize?) async throws -> Thumbnail {
        guard let make = information.thumbnailing(of: path) else {
            throw LocalFileInformationGenerator.refusal(path, "thumbnails")
        }
        let size = dimension ?? PixelSize(width: Self.thumbnailEdge, height: Self.thumbnailEdge)
        guard size.width > 0, size.height > 0 else {
            throw cocoaError(path, code: .featureUnsupported, reason: "a thumbnail of no pixels")
        }
        return try await about(path) { try await make(try await self.openLocalFile(path: path), size) }
    }

    /// Reads the properties each time from the open file.
    public func propertiesOfFile(path: ItemPath) async throws -> FileProperties {
        guard let read = information.describing(path) else {
            throw LocalFileInformationGenerator.refusal(path, "properties")
        }
        return try await about(path) { try await read(try await self.openLocalFile(path: path)) }
    }

    /// Runs a generator, which knows an open file but not its name, and adds the path to its error.
    private func about<Result>(_ path: ItemPath, _ work: () async throws -> Result) async throws -> Result {
        do {
            return try await work()
        } catch let problem as InformationProblem {
            throw problem.error(path)
        }
    }
}

/// The reason why an open file could not be processed.
enum InformationProblem: Error {
    case unknownType
    case tooLarge(String)
    case timedOut
    case damaged(String)
    case noLibrary(String)

    func error(_ path: some CustomStringConvertible) -> CocoaError {
        switch self {
        case .unknownType: cocoaError(path, code: .fileReadCorruptFile, reason: "it is not what its name says")
        case .tooLarge(let size): cocoaError(path, code: .fileReadTooLarge, reason: size)
        case .timedOut: cocoaError(path, code: .fileReadTooLarge, reason: "it takes too long to decode")
        case .damaged(let reason): cocoaError(path, code: .fileReadCorruptFile, reason: reason)
        case .noLibrary(let name): cocoaError(path, code: .featureUnsupported, reason: "\(name) is not installed here")
        }
    }
}
