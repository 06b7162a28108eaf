import CXML2

/// Assembles responses from the parser's events: a state per open element, and the text of those that matter.
///
/// Unknown elements are skipped with everything in them. States are compared as integers and names by address: this
/// runs some fifty times for every listed file.
struct MultistatusAssembler: ~Copyable {
    /// The kind of an open element.
    enum State: UInt8 {
        case document, multistatus, response, propstat, prop, error
        case resourceType, lockDiscovery, activeLock, lockToken, checksums, shareTypes
        case ignored
        // From here on text is collected.
        case value, nestedValue, responseStatus, propstatStatus, message

        @inline(__always)
        var keepsText: Bool { rawValue >= State.value.rawValue }
    }

    let root: DAVElement
    let limits: MultistatusLimits
    let names: ElementTable
    private let context: xmlParserCtxtPtr

    /// Responses that are complete and not yet taken.
    var completed: [MultistatusResponse] = []
    /// Bytes fed since the last response ended.
    var pendingBytes = 0
    /// The reason why parsing cannot continue.
    private(set) var failure: MultistatusFailure?
    /// Whether the root element has begun.
    var hasRoot = false
    /// The number of open elements.
    private(set) var depth = 0
    private(set) var state = State.document
    var response: ResponseInProgress
    private let parents: UnsafeMutablePointer<State>

    init(context: xmlParserCtxtPtr, root: DAVElement, limits: MultistatusLimits, others: [XMLName]) {
        self.context = context
        self.root = root
        self.limits = limits
        names = ElementTable(dictionary: context.pointee.dict, others: others)
        response = ResponseInProgress(others: others)
        parents = .allocate(capacity: limits.depth)
    }

    deinit { parents.deallocate() }

    /// Stops the parser. What was complete before can still be taken.
    mutating func fail(_ reason: MultistatusFailure) {
        guard failure == nil else { return }
        failure = reason
        xmlStopParser(context)
    }

    /// Checks the limits of what grows slowly; to be called now and then.
    mutating func checkLimits() {
        if pendingBytes > limits.responseLength { fail(.responseTooLong(limits.responseLength)) }
        if xmlDictSize(context.pointee.dict) > limits.names { fail(.tooManyNames(limits.names)) }
    }

    /// Begins an element. Its names are the parser's interned ones.
    @inline(__always)
    mutating func start(_ localName: UnsafePointer<UInt8>, namespace: UnsafePointer<UInt8>?) {
        // After a complaint that was ignored, libxml2 would leave out `&amp;` and the like.
        context.pointee.wellFormed = 1
        guard depth < limits.depth else { return fail(.tooDeep(limits.depth)) }
        parents[depth] = state
        depth += 1
        switch state {
        case .ignored: break
        case .prop: state = property(names.code(localName, namespace))
        case .document: state = begin(localName, namespace)
        case .error: state = errorDetail(localName, namespace)
        default: state = child(names.code(localName, namespace))
        }
    }

    /// Processes text in the innermost element, which may be only part of it.
    @inline(__always)
    mutating func text(_ text: UnsafeBufferPointer<UInt8>) {
        guard state.keepsText else { return }
        response.append(text)
        if response.openLength > limits.textLength { fail(.textTooLong(limits.textLength)) }
    }

    /// Ends the innermost element.
    @inline(__always)
    mutating func end() {
        let ended = state
        depth -= 1
        state = parents[depth]
        switch ended {
        case .value: response.close()
        case .nestedValue: if state != .nestedValue { response.close() }
        case .responseStatus: response.endStatus()
        case .propstatStatus: response.endPropstatStatus()
        case .message: response.endMessage()
        case .propstat: response.endPropstat()
        case .response: complete()
        case .prop, .error: if state == .document { complete() }
        default: break
        }
    }

    private mutating func complete() {
        response.finish(into: &completed)
        pendingBytes = 0
    }
}
