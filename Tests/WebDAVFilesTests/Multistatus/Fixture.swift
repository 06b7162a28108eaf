import Foundation

@testable import WebDAVFiles

/// Bytes that real servers sent: Apache 2.4 mod_dav, sabre/dav 1.8, nginx 1.22 with dav-ext, WsgiDAV 4.4 and
/// rclone 1.60, each serving the same folder of odd names, and OpenCloud 1.0.
enum Fixture {
    static let names = [
        "apache-allprop.xml", "apache-listing.xml", "sabre-listing.xml", "nginx-listing.xml", "wsgidav-listing.xml",
        "rclone-listing.xml", "apache-locked.xml", "apache-delete-failed.xml", "apache-proppatch-refused.xml",
        "opencloud/propfind-depth0-root.http", "opencloud/propfind-depth1.http", "opencloud/search-report.http",
    ]

    /// A reply's body; of a recorded exchange (`.http`), what is behind the response's head.
    static func body(_ name: String) throws -> Data {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
        let data = try Data(contentsOf: folder.appending(path: name))
        guard name.hasSuffix(".http") else { return data }
        guard let response = data.range(of: Data("=== response ===\n".utf8)),
            let blank = data.range(of: Data("\n\n".utf8), in: response.upperBound..<data.endIndex)
        else { throw CocoaError(.fileReadCorruptFile) }
        return Data(data[blank.upperBound...])
    }
}

/// Feeds a document in pieces of the given length and returns all responses.
func responses(
    _ document: Data, pieces: Int = .max, expecting root: MultistatusParser.Root = .multistatus,
    keeping others: [XMLName] = [], limits: MultistatusLimits = MultistatusLimits()
) throws -> [MultistatusResponse] {
    let url = URL(string: "http://user:secret@dav.example/dir/?key=1")
    let parser = MultistatusParser(expecting: root, keeping: others, limits: limits, url: url)
    var all: [MultistatusResponse] = []
    var rest = document
    while !rest.isEmpty {
        let piece = rest.prefix(pieces)
        rest = rest.dropFirst(piece.count)
        try parser.consume(piece)
        all += parser.takeResponses()
    }
    try parser.finish()
    return all + parser.takeResponses()
}

func responses(_ document: String, keeping others: [XMLName] = []) throws -> [MultistatusResponse] {
    try responses(Data(document.utf8), keeping: others)
}

/// A multistatus of one response with these elements in it.
func multistatus(_ contents: String...) -> String {
    let namespaces = #"xmlns:D="DAV:" xmlns:o="http://owncloud.org/ns""#
    let response = contents.joined(separator: "\n")
    return #"<?xml version="1.0"?><D:multistatus \#(namespaces)><D:response>\#(response)</D:response></D:multistatus>"#
}

func propstat(_ properties: String, status: String = "200 OK") -> String {
    "<D:propstat><D:prop>\(properties)</D:prop><D:status>HTTP/1.1 \(status)</D:status></D:propstat>"
}

/// The properties in a multistatus of one response with these.
func properties(_ content: String, keeping others: [XMLName] = []) throws -> DAVProperties {
    try responses(multistatus("<D:href>/a</D:href>", propstat(content)), keeping: others)[0].properties
}

extension MultistatusResponse {
    var reference: String { String(decoding: href, as: UTF8.self) }
}
