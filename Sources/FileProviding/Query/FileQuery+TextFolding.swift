import Foundation

extension String {
    /// Calls `body` with the UTF-8 that is compared under these options.
    ///
    /// Without options it is the text itself; otherwise it is the result of ``folded(_:)``, computed faster where the
    /// text is ASCII or in the ``FileQuery/FoldingTable``.
    func withFoldedUTF8<Result>(
        _ options: FileQuery.Options, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        var text = self
        return text.withUTF8 { bytes in
            if options.isEmpty { return body(bytes) }
            // No table entry is longer than twice the scalar's own UTF-8.
            let folded = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 * bytes.count) { buffer -> Result? in
                let isCaseInsensitive = options.contains(.caseInsensitive)
                let count =
                    bytes.copyASCII(to: buffer, lowercased: isCaseInsensitive)
                    ?? FileQuery.FoldingTable.table(for: options).fold(bytes, into: buffer)
                return count.map { body(UnsafeBufferPointer(rebasing: buffer[..<$0])) }
            }
            return folded ?? Array(self.folded(options).utf8).withUnsafeBufferPointer(body)
        }
    }

    /// Returns the text without the differences that the options ignore, in Unicode's composed form (NFC).
    package func folded(_ options: FileQuery.Options) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in decomposedStringWithCanonicalMapping.unicodeScalars {
            let properties = scalar.properties
            if options.contains(.diacriticInsensitive), properties.generalCategory == .nonspacingMark {
                continue
            }
            if options.contains(.caseInsensitive), properties.changesWhenCaseFolded {
                scalars.append(contentsOf: scalar.caseFolded.unicodeScalars)
            } else {
                scalars.append(scalar)
            }
        }
        return String(scalars).precomposedStringWithCanonicalMapping
    }
}

extension Unicode.Scalar {
    /// Unicode's full case folding of a scalar that has one; the standard library does not offer it. Lower-casing,
    /// upper-casing and lower-casing again gives the same result ("ẞ" → "ß" → "SS" → "ss"); only Cherokee folds to
    /// upper case.
    fileprivate var caseFolded: String {
        let lowercase = properties.lowercaseMapping.uppercased().lowercased()
        let isCherokee = lowercase.unicodeScalars.elementsEqual(CollectionOfOne(self))
        return isCherokee ? properties.uppercaseMapping : lowercase
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Copies the bytes and returns their number; nil if not all are ASCII.
    fileprivate func copyASCII(to buffer: UnsafeMutableBufferPointer<UInt8>, lowercased: Bool) -> Int? {
        for index in indices {
            let byte = self[index]
            guard byte < 0x80 else { return nil }
            buffer.initializeElement(at: index, to: lowercased && 0x41...0x5A ~= byte ? byte | 0x20 : byte)
        }
        return count
    }
}
