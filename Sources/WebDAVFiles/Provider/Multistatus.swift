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

    /// The members of a collection, which servers list along with them.
    ///
    /// - Parameter others: properties besides, to be kept as text.
    static func members(
        _ data: Data, from response: HTTPResponse, keeping others: [XMLName] = []
    ) throws -> [MultistatusResponse] {
        let parser = MultistatusParser(keeping: others, url: response.url)
        try parser.consume(data)
        try parser.finish()
        let name = response.url.path(percentEncoded: false).split(separator: "/").last.map(String.init)
        let all = parser.takeResponses()
        guard let own = all.firstIndex(where: { $0.lastComponent == name && $0.properties.isCollection == true }) else {
            return all
        }
        return Array(all[..<own] + all[(own + 1)...])
    }
}
