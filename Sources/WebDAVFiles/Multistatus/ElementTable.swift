import CXML2

/// Identifies known elements by the addresses of their names: libxml2 keeps one copy of each name per document.
///
/// An element's code is a raw value of ``DAVElement`` or ``DAVPropertyName``, or ``firstOther`` plus the index of an
/// additional requested name; 0 is an unknown element.
struct ElementTable: ~Copyable {
    /// The code of the first additional requested name.
    static let firstOther: UInt8 = 128

    private struct Slot {
        var localName: UnsafePointer<UInt8>?
        var namespace: UnsafePointer<UInt8>?
        var code: UInt8 = 0
    }

    /// The interned `DAV:`.
    let dav: UnsafePointer<UInt8>?
    private let slots: UnsafeMutableBufferPointer<Slot>
    private let mask: Int

    /// - Parameters:
    ///   - dictionary: the parser's own, which must outlive the table.
    ///   - others: at most 127 additional names.
    init(dictionary: xmlDictPtr, others: [XMLName]) {
        var names: [(XMLName, UInt8)] = DAVElement.allCases.flatMap { element in
            element.names.map { ($0, element.rawValue) }
        }
        names += DAVPropertyName.allCases.map { ($0.name, $0.rawValue) }
        precondition(others.count < 128, "at most 127 properties can be kept as text")
        names += others.enumerated().map { ($1, Self.firstOther + UInt8($0)) }

        var capacity = 128
        while capacity < names.count * 3 { capacity *= 2 }
        slots = .allocate(capacity: capacity)
        slots.initialize(repeating: Slot())
        mask = capacity - 1
        dav = xmlDictLookup(dictionary, XMLName.dav, -1)
        for (name, code) in names {
            let localName = xmlDictLookup(dictionary, name.localName, -1)
            let namespace = xmlDictLookup(dictionary, name.namespace, -1)
            let index = slot(localName, namespace)
            if slots[index].code == 0 { slots[index] = Slot(localName: localName, namespace: namespace, code: code) }
        }
    }

    deinit { slots.deallocate() }

    /// Returns the code of an element whose names are interned.
    @inline(__always)
    func code(_ localName: UnsafePointer<UInt8>?, _ namespace: UnsafePointer<UInt8>?) -> UInt8 {
        slots[slot(localName, namespace)].code
    }

    /// Returns the slot of the pair, or the empty slot where it would be.
    @inline(__always)
    private func slot(_ localName: UnsafePointer<UInt8>?, _ namespace: UnsafePointer<UInt8>?) -> Int {
        let key = UInt(bitPattern: localName) &* 31 &+ UInt(bitPattern: namespace)
        var index = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
        while slots[index].code != 0, slots[index].localName != localName || slots[index].namespace != namespace {
            index = (index + 1) & mask
        }
        return index
    }
}
