/// The state that each element leads to.
extension MultistatusAssembler {
    mutating func begin(_ localName: UnsafePointer<UInt8>, _ namespace: UnsafePointer<UInt8>?) -> State {
        hasRoot = true
        switch (DAVElement(rawValue: names.code(localName, namespace)), root) {
        case (.multistatus, .multistatus): return .multistatus
        case (.prop, .prop): return .prop
        case (.error, .error): return .error
        default:
            let name = String(cString: localName)
            fail(name.lowercased() == "html" ? .html : .wrongRoot(name, expected: root))
            return .ignored
        }
    }

    @inline(__always)
    mutating func property(_ code: UInt8) -> State {
        if code >= ElementTable.firstOther { return open(code, as: .nestedValue) }
        switch DAVPropertyName(rawValue: code) {
        case nil: return .ignored
        case .resourceType: return mark(code, as: .resourceType)
        case .lockDiscovery: return .lockDiscovery
        case .checksums: return .checksums
        case .shareTypes: return .shareTypes
        default: return open(code, as: .value)
        }
    }

    mutating func child(_ code: UInt8) -> State {
        switch (state, DAVElement(rawValue: code)) {
        case (.nestedValue, _): return .nestedValue
        case (.multistatus, .response): return .response
        case (.response, .href):
            response.openHref()
            return .value
        case (.response, .propstat):
            response.beginPropstat()
            return .propstat
        case (.propstat, .prop): return .prop
        case (.response, .status): return open(code, as: .responseStatus)
        case (.propstat, .status): return open(code, as: .propstatStatus)
        case (.response, .error), (.propstat, .error): return .error
        case (.response, .responseDescription), (.propstat, .responseDescription): return open(code, as: .message)
        case (.resourceType, .collection): return mark(code, as: .ignored)
        case (.checksums, .checksum), (.shareTypes, .shareType): return open(code, as: .value)
        case (.lockDiscovery, .activeLock): return mark(code, as: .activeLock)
        case (.activeLock, .timeout): return open(code, as: .value)
        case (.activeLock, .owner): return open(code, as: .nestedValue)
        case (.activeLock, .lockToken): return .lockToken
        case (.lockToken, .href): return open(DAVElement.lockToken.rawValue, as: .value)
        default: return .ignored
        }
    }

    mutating func errorDetail(_ localName: UnsafePointer<UInt8>, _ namespace: UnsafePointer<UInt8>?) -> State {
        let code = names.code(localName, namespace)
        if DAVElement(rawValue: code) == .message { return open(code, as: .message) }
        if namespace == names.dav { response.addPrecondition(String(cString: localName)) }
        return .ignored
    }

    /// Begins to collect an element's text.
    @inline(__always)
    private mutating func open(_ code: UInt8, as state: State) -> State {
        response.open(code)
        return state
    }

    /// Records that the element is present.
    private mutating func mark(_ code: UInt8, as state: State) -> State {
        response.open(code)
        response.close()
        return state
    }
}
