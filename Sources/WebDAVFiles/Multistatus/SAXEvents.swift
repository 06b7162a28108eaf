import CXML2

/// The bridge from libxml2's callbacks to a ``MultistatusAssembler``.
enum SAXEvents {
    private static let prepareLibrary: Void = xmlInitParser()

    /// Creates a push parser whose events go to `assembler`, which is initialized before the first byte is parsed.
    ///
    /// The parser recovers from errors, so that the assembler decides which ones matter.
    static func makeParser(reportingTo assembler: UnsafeMutablePointer<MultistatusAssembler>) -> xmlParserCtxtPtr {
        prepareLibrary
        var events = handler
        guard let context = xmlCreatePushParserCtxt(&events, assembler, nil, 0, nil) else {
            fatalError("out of memory")
        }
        xmlCtxtUseOptions(context, Int32(XML_PARSE_NONET.rawValue | XML_PARSE_RECOVER.rawValue))
        return context
    }

    private static var handler: xmlSAXHandler {
        var handler = xmlSAXHandler()
        handler.initialized = XML_SAX2_MAGIC
        handler.startElementNs = { user, localName, _, namespace, _, _, _, _, _ in
            user.assembler.pointee.start(localName!, namespace: namespace)
        }
        handler.endElementNs = { user, _, _, _ in
            user.assembler.pointee.end()
        }
        handler.characters = { user, text, count in
            user.assembler.pointee.text(UnsafeBufferPointer(start: text, count: Int(count)))
        }
        // The same function, so that libxml2 need not distinguish the two.
        handler.ignorableWhitespace = handler.characters
        handler.cdataBlock = handler.characters
        handler.internalSubset = { user, _, _, _ in
            user.assembler.pointee.fail(.entities)
        }
        handler.serror = { user, error in
            if let error { user.assembler.pointee.complain(error.pointee) }
        }
        return handler
    }
}

extension UnsafeMutableRawPointer? {
    @inline(__always)
    fileprivate var assembler: UnsafeMutablePointer<MultistatusAssembler> {
        self!.assumingMemoryBound(to: MultistatusAssembler.self)
    }
}
