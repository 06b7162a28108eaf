/// Command-line arguments as lossless text.
///
/// An argument is bytes, and the argument parser requires text. A byte that is not part of valid UTF-8 becomes the
/// private character U+10FF00 + byte and later that byte again; so does each byte of a character that is already in
/// this range.
enum ArgumentText {
    private static let base: UInt32 = 0x10_FF00

    /// The arguments of this process without the program's name.
    static var process: [String] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { index in
            CommandLine.unsafeArgv[index].map { argument in
                var bytes: [UInt8] = []
                var next = argument
                while next.pointee != 0 {
                    bytes.append(UInt8(bitPattern: next.pointee))
                    next += 1
                }
                return encode(bytes)
            }
        }
    }

    /// Returns text that stands for these bytes.
    static func encode(_ bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self), !text.unicodeScalars.contains(where: isEscape) {
            return text
        }
        var text = ""
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        var position = 0
        while true {
            switch parser.parseScalar(from: &rest) {
            case .valid(let encoded):
                let scalar = Unicode.UTF8.decode(encoded)
                if isEscape(scalar) {
                    bytes[position..<(position + encoded.count)].forEach { text.unicodeScalars.append(escape($0)) }
                } else {
                    text.unicodeScalars.append(scalar)
                }
                position += encoded.count
            case .error(let length):
                bytes[position..<(position + length)].forEach { text.unicodeScalars.append(escape($0)) }
                position += length
            case .emptyInput: return text
            }
        }
    }

    /// Returns the bytes that the text stands for.
    static func decode(_ text: String) -> [UInt8] {
        guard text.unicodeScalars.contains(where: isEscape) else { return Array(text.utf8) }
        return text.unicodeScalars.flatMap { scalar in
            isEscape(scalar) ? [UInt8(scalar.value - base)] : Array(String(scalar).utf8)
        }
    }

    private static func isEscape(_ scalar: Unicode.Scalar) -> Bool { scalar.value >= base + 0x80 }

    private static func escape(_ byte: UInt8) -> Unicode.Scalar { Unicode.Scalar(base + UInt32(byte))! }
}
