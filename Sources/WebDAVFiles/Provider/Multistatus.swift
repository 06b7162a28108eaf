import FileProviding
import Foundation
import HTTPFiles

/// Small multistatus replies, read at once.
enum Multistatus {
    /// The responses of a 207; a reply that is none, such as a login page with status 200, is an error.
    static func decode(_ data: Data, from response: HTTPResponse) throws -> [MultistatusResponse] {
        let parser = MultistatusParser(url: response.url)
        try parser.consume(data)
        try parser.finish()
        return parser.takeResponses()
    }
}
