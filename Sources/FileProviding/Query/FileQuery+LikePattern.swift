extension FileQuery {
    /// A pattern of `LIKE`: `*` matches any run of text, `?` one Unicode scalar, and `\` makes the next one literal.
    ///
    /// Only the last `*` is ever reconsidered, which is enough, so the work is at most the text's length times the
    /// pattern's.
    struct LikePattern: Sendable {
        private enum Element: Equatable {
            case byte(UInt8)
            case oneScalar
            case anyRun
        }

        private let elements: [Element]

        /// Creates a pattern from its UTF-8.
        init(_ pattern: [UInt8]) {
            var elements: [Element] = []
            var index = 0
            while index < pattern.count {
                switch pattern[index] {
                case UInt8(ascii: "*"):
                    if elements.last != .anyRun { elements.append(.anyRun) }
                case UInt8(ascii: "?"):
                    elements.append(.oneScalar)
                case UInt8(ascii: "\\") where index + 1 < pattern.count:
                    index += 1
                    elements.append(.byte(pattern[index]))
                case let byte:
                    elements.append(.byte(byte))
                }
                index += 1
            }
            self.elements = elements
        }

        /// Returns whether the whole text, in valid UTF-8, matches.
        func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
            var (position, next) = (0, 0)
            /// The pattern's position after the last `*`, and where the text that this `*` does not match begins.
            var retry: (next: Int, position: Int)?
            while position < text.count {
                if next < elements.count {
                    switch elements[next] {
                    case .anyRun:
                        next += 1
                        retry = (next, position)
                        continue
                    case .oneScalar:
                        position = Self.scalarEnd(in: text, after: position)
                        next += 1
                        continue
                    case .byte(text[position]):
                        position += 1
                        next += 1
                        continue
                    case .byte: break
                    }
                }
                guard let last = retry else { return false }
                position = Self.scalarEnd(in: text, after: last.position)
                next = last.next
                retry = (next, position)
            }
            return elements[next...].allSatisfy { $0 == .anyRun }
        }

        private static func scalarEnd(in text: UnsafeBufferPointer<UInt8>, after start: Int) -> Int {
            var end = start + 1
            while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
            return end
        }
    }
}
