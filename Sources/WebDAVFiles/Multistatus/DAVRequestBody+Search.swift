import Foundation

/// The bodies of searches.
extension DAVRequestBody {
    /// Returns a SEARCH with `basicsearch` (RFC 5323, section 5): names that contain `fragment` anywhere below `scope`.
    ///
    /// - Parameter scope: the collection's percent-encoded path as the server's search knows it.
    static func basicSearch(
        _ properties: [DAVPropertyName], scope: String, nameContains fragment: String, limit: Int
    ) -> Data {
        basicSearch(properties, scope: scope, limit: limit) { body in
            body.element(XMLName("like")) { body in
                body.names([.displayName])
                body.element(XMLName("literal")) { $0.text("%\(fragment)%") }
            }
        }
    }

    /// Returns the same for the item with this number (`oc:fileid`).
    static func basicSearch(_ properties: [DAVPropertyName], scope: String, fileID: Int64) -> Data {
        basicSearch(properties, scope: scope, limit: 1) { body in
            body.element(XMLName("eq")) { body in
                body.names([.fileID])
                body.element(XMLName("literal")) { $0.text(String(fileID)) }
            }
        }
    }

    private static func basicSearch(
        _ properties: [DAVPropertyName], scope: String, limit: Int, where condition: (inout XMLWriter) -> Void
    ) -> Data {
        var body = XMLWriter()
        body.element(XMLName("searchrequest")) { body in
            body.element(XMLName("basicsearch")) { body in
                body.element(XMLName("select")) { $0.names(properties) }
                body.element(XMLName("from")) { body in
                    body.element(XMLName("scope")) { body in
                        body.element(XMLName("href")) { $0.text(scope) }
                        body.element(XMLName("depth")) { $0.text("infinity") }
                    }
                }
                body.element(XMLName("where")) { condition(&$0) }
                body.element(XMLName("limit")) { body in
                    body.element(XMLName("nresults")) { $0.text(String(limit)) }
                }
            }
        }
        return Data(body.document.utf8)
    }

    /// Returns a REPORT `oc:search-files`.
    static func searchFiles(_ properties: [DAVPropertyName], pattern: String, limit: Int) -> Data {
        var body = XMLWriter()
        let name = { XMLName($0, namespace: XMLName.ownCloud) }
        body.element(name("search-files")) { body in
            body.names(properties)
            body.element(name("search")) { body in
                body.element(name("pattern")) { $0.text(pattern) }
                body.element(name("limit")) { $0.text(String(limit)) }
            }
        }
        return Data(body.document.utf8)
    }

    /// Returns a REPORT `oc:filter-files` for the user's favorites.
    static func filterFavorites(_ properties: [DAVPropertyName]) -> Data {
        var body = XMLWriter()
        body.element(XMLName("filter-files", namespace: XMLName.ownCloud)) { body in
            body.names(properties)
            body.element(XMLName("filter-rules", namespace: XMLName.ownCloud)) { body in
                body.element(DAVPropertyName.favorite.name) { $0.text("1") }
            }
        }
        return Data(body.document.utf8)
    }
}

extension XMLWriter {
    fileprivate mutating func names(_ properties: [DAVPropertyName]) {
        element(XMLName("prop")) { body in
            for property in properties { body.element(property.name) }
        }
    }
}
