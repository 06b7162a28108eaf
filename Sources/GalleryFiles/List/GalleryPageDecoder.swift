import FileProviding
import Foundation
import HTTPFiles

/// Decodes a list of images into entries as its bytes arrive, each with its whole path.
struct GalleryPageDecoder: HTTPPageDecoder {
    private var splitter = JSONArraySplitter()
    private let decoder = JSONDecoder()
    private var reply: HTTPResponse?
    /// The directory of the previous image, shared with the next one in it.
    private var parent = ItemPath.root

    private var url: URL? { reply?.url }

    /// Checks whether the reply is a web page.
    mutating func begin(_ response: HTTPResponse) throws {
        reply = response
        if response.isWebPage { throw WebPage.error(url) }
    }

    mutating func consume(_ bytes: Data) throws -> [FileObject] {
        do {
            return try splitter.append(bytes).map { try entries($0) } ?? []
        } catch let problem as JSONArraySplitter.Problem {
            throw described(problem)
        }
    }

    mutating func finish() throws -> (entries: [FileObject], nextToken: String?) {
        do {
            return (try entries(splitter.finish()), try reply?.nextPage()?.absoluteString)
        } catch let problem as JSONArraySplitter.Problem {
            throw described(problem)
        }
    }

    private mutating func entries(_ json: Data) throws -> [FileObject] {
        let images: [GalleryImage]
        do {
            images = try decoder.decode([GalleryImage].self, from: json)
        } catch {
            throw urlError(
                url, code: .cannotParseResponse, reason: "an entry is no image with a path", underlying: error)
        }
        return try images.map { try entry($0) }
    }

    private mutating func entry(_ image: GalleryImage) throws -> FileObject {
        let path = try GalleryPath.parse(image.path, name: image.name)
        guard let name = path.lastComponent else {
            throw urlError(url, code: .cannotParseResponse, reason: "an image has no path")
        }
        if let directory = path.parent, directory != parent { parent = directory }
        var file = FileObject(name: name, in: parent, type: .regular)
        if let width = image.width, width > 0 { file[.imageWidth] = width }
        if let height = image.height, height > 0 { file[.imageHeight] = height }
        return file
    }

    private func described(_ problem: JSONArraySplitter.Problem) -> URLError {
        switch problem {
        case .isWebPage: WebPage.error(url)
        case .isNoArray: urlError(url, code: .cannotParseResponse, reason: "the reply is no list of images")
        case .endsEarly: urlError(url, code: .cannotParseResponse, reason: "the list of images ends early")
        case .isTooLarge: urlError(url, code: .dataLengthExceedsMaximum, reason: "an entry is larger than 1 MiB")
        }
    }
}
