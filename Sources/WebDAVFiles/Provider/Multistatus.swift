import FileProviding
import Foundation
import HTTPFiles

/// Small replies in XML, parsed at once.
enum Multistatus {
    /// Returns the responses of a 207; any other reply, such as a login page with status 200, is an error.
    ///
    /// - Parameter root: what the reply has to be instead of a multistatus.
    static func decode(
        _ data: Data, from response: HTTPResponse, expecting root: MultistatusParser.Root = .multistatus
    ) throws -> [MultistatusResponse] {
        let parser = MultistatusParser(expecting: root, url: response.url)
        try parser.consume(data)
        try parser.finish()
        return parser.takeResponses()
    }

    /// Returns whether a reply with the status 207 has sabre/dav's "not found" error as its body instead of a
    /// multistatus: some releases of Nextcloud send the status before they look for the item.
    static func isAbsence(_ data: Data) -> Bool {
        data.prefix(4 << 10).firstRange(of: Data("Sabre\\DAV\\Exception\\NotFound".utf8)) != nil
    }
}

extension WebDAVFileProvider {
    /// The most members that are taken of one reply.
    private static let maximumMembers = 200_000

    /// The members of a collection that is not listed as files are; servers list it along with them.
    ///
    /// - Parameter others: properties besides, to be kept as text.
    /// - Throws: `CocoaError(.fileReadTooLarge)` for more than 200,000, among others.
    func members(
        _ request: HTTPRequest, keeping others: [XMLName] = [], for operation: FileOperationType
    ) async throws -> [MultistatusResponse] {
        let (response, body) = try await session.stream(for: request)
        guard response.isSuccess else {
            throw try await fileError(for: response, data: body.collectRefusal(), operation: operation)
        }
        let parser = MultistatusParser(keeping: others, url: response.url)
        var members: [MultistatusResponse] = []
        for try await chunk in body {
            try parser.consume(chunk)
            members += parser.takeResponses()
            guard members.count <= Self.maximumMembers else {
                throw cocoaError(
                    operation.source, code: .fileReadTooLarge, reason: "more than \(Self.maximumMembers) entries")
            }
        }
        try parser.finish()
        members += parser.takeResponses()
        let name = response.url.path(percentEncoded: false).split(separator: "/").last.map(String.init)
        if let own = members.firstIndex(where: { $0.lastComponent == name && $0.properties.isCollection == true }) {
            members.remove(at: own)
        }
        return members
    }
}
