import Foundation

/// The XML bodies of requests (RFC 4918, section 14).
package enum DAVRequestBody {
    /// Returns a PROPFIND body that requests these properties.
    ///
    /// - Parameter others: additional properties, kept as text by a parser that is given the same names.
    package static func propfind(_ properties: [DAVPropertyName], others: [XMLName] = []) -> Data {
        var body = XMLWriter()
        body.element(XMLName("propfind")) { body in
            body.element(XMLName("prop")) { body in
                for name in properties.map(\.name) + others { body.element(name) }
            }
        }
        return Data(body.document.utf8)
    }

    /// Returns a PROPPATCH body that sets these properties, in this order, and removes those in `names`.
    package static func proppatch(set values: [(name: XMLName, value: String)], remove names: [XMLName] = []) -> Data {
        var body = XMLWriter()
        body.element(XMLName("propertyupdate")) { body in
            if !values.isEmpty {
                body.element(XMLName("set")) { body in
                    body.element(XMLName("prop")) { body in
                        for (name, value) in values { body.element(name) { $0.text(value) } }
                    }
                }
            }
            if !names.isEmpty {
                body.element(XMLName("remove")) { body in
                    body.element(XMLName("prop")) { body in
                        for name in names { body.element(name) }
                    }
                }
            }
        }
        return Data(body.document.utf8)
    }

    /// Returns a LOCK body that requests an exclusive write lock.
    ///
    /// - Parameter owner: the client's description of itself, for other users to read.
    package static func lockInfo(owner: String?) -> Data {
        var body = XMLWriter()
        body.element(XMLName("lockinfo")) { body in
            body.element(XMLName("lockscope")) { $0.element(XMLName("exclusive")) }
            body.element(XMLName("locktype")) { $0.element(XMLName("write")) }
            if let owner { body.element(XMLName("owner")) { $0.text(owner) } }
        }
        return Data(body.document.utf8)
    }
}
