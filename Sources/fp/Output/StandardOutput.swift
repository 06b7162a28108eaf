import Foundation

/// Buffers data for standard output, and writes it in large pieces. Used by one task at a time.
final class StandardOutput {
    /// Whether standard output is a terminal, where names are displayed and not passed on.
    let isTerminal: Bool
    /// The number of bytes written so far, including those in the buffer.
    private(set) var count = 0
    private var buffer: [UInt8] = []
    private let descriptor: Int32

    /// Thrown when nothing more can be written: the command ends.
    struct Ended: Error {
        /// The reason, or `nil` when the reader closed the pipe, as in `fp ls | head`: that is no failure.
        let failure: Refusal?
    }

    init(descriptor: Int32 = STDOUT_FILENO) {
        self.descriptor = descriptor
        isTerminal = isatty(descriptor) == 1
        buffer.reserveCapacity(Self.capacity + 4096)
    }

    private static let capacity = 64 << 10

    /// Adds bytes.
    func write(_ bytes: some Collection<UInt8>) throws {
        count += bytes.count
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.capacity { try flush() }
    }

    /// Adds text.
    func write(_ text: String) throws { try write(text.utf8) }

    /// Adds a line.
    func line(_ text: String) throws {
        try write(text)
        try write("\n")
    }

    /// Returns a name as it is written: escaped on a terminal, byte for byte elsewhere.
    func shown(_ name: [UInt8]) -> [UInt8] { isTerminal ? Array(ShownName.escaped(name).utf8) : name }

    /// Adds bytes without copying them into the buffer.
    func write(through data: Data) throws {
        try flush()
        count += data.count
        try data.withUnsafeBytes { try send($0) }
    }

    /// Writes everything to the descriptor.
    ///
    /// - Throws: ``Ended``, and `CancellationError` when the reader takes nothing and the command has been stopped.
    func flush() throws {
        defer { buffer.removeAll(keepingCapacity: true) }
        try buffer.withUnsafeBytes { try send($0) }
    }

    private func send(_ bytes: UnsafeRawBufferPointer) throws {
        switch Descriptor.send(bytes, to: descriptor) {
        case 0: return
        case EPIPE: throw Ended(failure: nil)
        case ECANCELED: throw CancellationError()
        case let number:
            let reason = String(cString: strerror(number))
            throw Ended(failure: Refusal("standard output", reason, isAboutAccess: false))
        }
    }
}
