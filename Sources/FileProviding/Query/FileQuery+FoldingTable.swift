extension FileQuery {
    /// A lookup table for folded text, some thirty times as fast as computing it, for the scripts that most names are
    /// in.
    ///
    /// It covers the scalars whose folded form does not depend on their neighbors: those that are not combining marks
    /// and compose only with combining marks. A text with any other scalar is left to ``Swift/String/folded(_:)``.
    struct FoldingTable: Sendable {
        /// Latin, Greek, Cyrillic, Armenian, Hebrew and Arabic.
        private static let letters: Range<UInt32> = 0..<0x700
        /// Hiragana and katakana.
        private static let kana: Range<UInt32> = 0x3041..<0x3100

        /// Up to three bytes of UTF-8, the first one highest, and their count in the low byte.
        private let entries: [UInt32]

        private static let needsNeighbours: UInt32 = 0xFF

        private static let caseInsensitive = FoldingTable(.caseInsensitive)
        private static let diacriticInsensitive = FoldingTable(.diacriticInsensitive)
        private static let both = FoldingTable([.caseInsensitive, .diacriticInsensitive])

        /// Returns the table for options that are not empty, made on first use.
        static func table(for options: Options) -> FoldingTable {
            if !options.contains(.diacriticInsensitive) { return caseInsensitive }
            return options.contains(.caseInsensitive) ? both : diacriticInsensitive
        }

        private init(_ options: Options) {
            entries = [Self.letters, Self.kana].flatMap { $0.map { Self.entry(for: $0, options) } }
        }

        private static func entry(for value: UInt32, _ options: Options) -> UInt32 {
            guard let scalar = Unicode.Scalar(value) else { return needsNeighbours }
            let folded = String(scalar).folded(options)
            let isMark = folded.unicodeScalars.first?.properties.generalCategory == .nonspacingMark
            if isMark || folded.utf8.count > 3 { return needsNeighbours }
            var entry = UInt32(folded.utf8.count)
            for (index, byte) in folded.utf8.enumerated() { entry |= UInt32(byte) << (24 - 8 * UInt32(index)) }
            return entry
        }

        /// Writes the folded text and returns its length; nil if a scalar's form depends on its neighbors.
        ///
        /// - Parameters:
        ///   - text: valid UTF-8.
        ///   - buffer: room for twice as much.
        func fold(_ text: UnsafeBufferPointer<UInt8>, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int? {
            var (read, written) = (0, 0)
            while read < text.count {
                let (scalar, length) = Self.scalar(in: text, at: read)
                if let index = Self.index(of: scalar) {
                    let entry = entries[index]
                    if entry == Self.needsNeighbours { return nil }
                    var bytes = entry
                    for _ in 0..<entry & 0xFF {
                        buffer.initializeElement(at: written, to: UInt8(bytes >> 24))
                        bytes <<= 8
                        written += 1
                    }
                } else if Self.staysItself(scalar) {
                    for offset in 0..<length {
                        buffer.initializeElement(at: written + offset, to: text[read + offset])
                    }
                    written += length
                } else {
                    return nil
                }
                read += length
            }
            return written
        }

        private static func index(of scalar: UInt32) -> Int? {
            if letters.contains(scalar) { return Int(scalar) }
            return kana.contains(scalar) ? letters.count + Int(scalar - kana.lowerBound) : nil
        }

        /// Returns whether the scalar folds to itself: punctuation, Chinese characters, Hangul syllables and
        /// pictographs.
        private static func staysItself(_ scalar: UInt32) -> Bool {
            switch scalar {
            case 0x2010...0x2027, 0x3001...0x3020, 0x3400...0x9FFF, 0xAC00...0xD7A3, 0x1F300...0x1FAFF: true
            default: false
            }
        }

        private static func scalar(in text: UnsafeBufferPointer<UInt8>, at index: Int) -> (UInt32, length: Int) {
            let lead = text[index]
            let length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
            if length == 1 { return (UInt32(lead), 1) }
            var scalar = UInt32(lead & (0x7F >> UInt8(length)))
            for offset in 1..<length { scalar = scalar << 6 | UInt32(text[index + offset] & 0x3F) }
            return (scalar, length)
        }
    }
}
