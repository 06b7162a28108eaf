import FileProviding
import Foundation

/// A way to reach a server's `sftp` subsystem: what differs between SSH implementations, and nothing about SFTP itself.
///
/// A connection uses its channel on a thread of its own; a transport connects on that thread and may block it.
package protocol SSHTransport: Sendable {
    /// Connects, checks the host's key, authenticates and starts the subsystem.
    ///
    /// - Parameter waker: watched in addition to the socket while waiting; when it fires, connecting is given up.
    /// - Throws: `URLError` that says what went wrong; `CancellationError` when the waker fired.
    func connect(_ waker: Waker) throws -> any SSHChannel
}

/// Bytes in both directions, without blocking. Used by one thread.
package protocol SSHChannel: AnyObject {
    /// Reads what has arrived.
    ///
    /// - Returns: the number of bytes; 0 when nothing has arrived yet; `nil` at the end of the stream.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int?

    /// Writes as much as there is room for; returns the number of bytes, possibly 0.
    func write(_ bytes: UnsafeRawBufferPointer) throws -> Int

    /// Waits until reading or, with `toWrite`, writing is possible, until the waker fires, or until the time has
    /// passed.
    func wait(toWrite: Bool, _ waker: Waker, milliseconds: Int32)

    /// How many bytes the server has sent so far, including those of packets that have not arrived as a whole; 0 if
    /// that is not known.
    var received: Int { get }

    /// The number of bytes that the server may send before the window is enlarged (RFC 4254, section 5.2).
    var window: Int { get }

    /// Whether a user may be asked, who may take their time, before the server's first byte arrives.
    var mayAskFirst: Bool { get }

    /// Keeps network devices from dropping the connection while nothing else is sent.
    func keepAlive()

    /// Ends the connection.
    func close()

    /// Why the stream ended, if the transport knows more than that it did.
    var ending: URLError? { get }
}

extension SSHChannel {
    package var mayAskFirst: Bool { false }

    package var received: Int { 0 }

    package func keepAlive() {}
}
