import FileProviding
import Foundation

/// A way to a server's `sftp` subsystem: what differs between SSH implementations, and nothing of SFTP itself.
///
/// A connection works its channel on one thread of its own; a transport connects there and may wait while it does.
package protocol SSHTransport: Sendable {
    /// Connects, checks the host's key, authenticates and starts the subsystem.
    ///
    /// - Parameter waker: what to watch beside the socket while waiting; when it fires, connecting is given up.
    /// - Throws: `URLError` that says what went wrong; `CancellationError` when the waker fired.
    func connect(_ waker: Waker) throws -> any SSHChannel
}

/// Bytes both ways, without waiting. Used by one thread.
package protocol SSHChannel: AnyObject {
    /// Reads what has arrived.
    ///
    /// - Returns: how many bytes; 0 when nothing is there yet; `nil` at the end of the stream.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int?

    /// Writes as much as there is room for; returns how many bytes, perhaps 0.
    func write(_ bytes: UnsafeRawBufferPointer) throws -> Int

    /// Waits until reading, or `toWrite` writing, may go on, until the waker fires or for so many milliseconds.
    func wait(toWrite: Bool, _ waker: Waker, milliseconds: Int32)

    /// How many bytes the server may send before it is told to go on (RFC 4254, section 5.2).
    var window: Int { get }

    /// Whether a person may be asked before the server's first byte comes, who takes the time that it takes.
    var mayAskFirst: Bool { get }

    /// Keeps the connection from being forgotten by what lies between, while nothing else is sent.
    func keepAlive()

    /// Ends the connection.
    func close()

    /// Why the stream ended, where the transport knows more than that it did.
    var ending: URLError? { get }
}

extension SSHChannel {
    package var mayAskFirst: Bool { false }

    package func keepAlive() {}
}
