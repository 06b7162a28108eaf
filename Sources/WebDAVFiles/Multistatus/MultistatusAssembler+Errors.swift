import CXML2

/// The complaints of libxml2 that end the parsing.
extension MultistatusAssembler {
    /// Handles a complaint. The parser recovers from errors, so that it can continue after those that are ignored here:
    ///
    /// - a prefix that was never declared: the element is then unknown;
    /// - white space before the XML declaration, which misconfigured PHP emits;
    /// - a byte that XML does not allow, which nginx and WsgiDAV copy from a file's name into `displayname`. In a
    ///   reference it would change the name, and is an error;
    /// - anything behind the document's end, such as a warning of PHP.
    mutating func complain(_ error: xmlError) {
        let code = xmlParserErrors(UInt32(bitPattern: error.code))
        if error.level == XML_ERR_WARNING || error.domain == XML_FROM_NAMESPACE.rawValue { return }
        if code == XML_ERR_RESERVED_XML_NAME, !hasRoot { return }
        if code == XML_ERR_DOCUMENT_END, hasRoot, depth == 0 { return }
        if code == XML_ERR_INVALID_CHAR, hasRoot, state != .value || !response.isInHref { return }
        let message = error.message.map { String(cString: $0) } ?? ""
        let firstLine = message.prefix { $0 != "\n" }
        fail(.malformed(String(firstLine.prefix(200)), line: Int(error.line)))
    }
}
