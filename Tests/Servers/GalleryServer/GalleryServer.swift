import FileProviderTesting
import FileProviding
import Foundation

/// Serves a real folder by the gallery image API over HTTP, on loopback.
///
/// `GET /api/image/{category}` lists the images in a folder and below it, `GET /file/{path}` sends one. For tests: it
/// reads whole files into memory.
public final class GalleryServer: Sendable {
    /// How a server may differ from the next one.
    public struct Options: Sendable {
        /// Whether listed paths are percent-encoded.
        public var encodesPaths = false
        /// How many images a page of a list has; one page by default.
        public var pageSize: Int?
        /// Whether `Range` is honoured.
        public var sendsRanges = true
        /// Whether a category without images is 404 instead of an empty list.
        public var refusesEmptyCategories = false
        /// Which files are listed; those with an image's extension by default.
        public var lists: @Sendable (_ name: String) -> Bool = { name in
            ["jpg", "jpeg", "png", "gif", "webp"].contains { name.lowercased().hasSuffix("." + $0) }
        }

        /// A plain server.
        public init() {}
    }

    private let responder: ScriptedResponder

    /// Serves the folder on a free port until ``stop()``.
    public init(serving folder: LocalPath, options: Options = Options()) throws {
        let gallery = ServedGallery(folder: folder, options: options)
        responder = try ScriptedResponder { gallery.reply(to: $0) }
    }

    /// The gallery's base: `http://127.0.0.1:PORT/`.
    public var url: URL { responder.url }

    /// What was asked for so far, as method and target.
    public var requests: [String] { responder.requests.map { "\($0.method) \($0.target)" } }

    /// Ends all connections; new ones are refused.
    public func stop() { responder.stop() }
}
