import Foundation
import Glibc

/// Blocking reads and writes on a connected socket.
package struct Connection: Sendable {
    let descriptor: Int32

    /// Connects to a port on 127.0.0.1, or returns `nil`.
    package static func open(port: Int) -> Connection? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = loopback(port: port)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            close(descriptor)
            return nil
        }
        return Connection(descriptor: descriptor)
    }

    /// Reads some bytes; returns `nil` at the end and after an error.
    package func read(upTo count: Int = 64 << 10) -> Data? {
        var data = Data(count: count)
        let got = data.withUnsafeMutableBytes { buffer in
            repeating { recv(descriptor, buffer.baseAddress!, count, 0) }
        }
        return got > 0 ? data.prefix(got) : nil
    }

    /// Writes all bytes. Returns whether the peer is still there.
    package func write(_ data: Data) -> Bool {
        data.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                let rest = buffer.count - done
                let put = repeating { send(descriptor, buffer.baseAddress! + done, rest, Int32(MSG_NOSIGNAL)) }
                guard put > 0 else { return false }
                done += put
            }
            return true
        }
    }

    /// Waits. Returns early, with `false`, when the peer closes the connection.
    func wait(seconds: Double) -> Bool {
        var entry = pollfd(descriptor: descriptor, events: hangUpEvent)
        return poll(&entry, 1, Int32(seconds * 1000)) == 0
    }

    /// Waits until the peer closes the connection.
    func waitForEnd() {
        var entry = pollfd(descriptor: descriptor, events: hangUpEvent)
        _ = repeating { Int(poll(&entry, 1, -1)) }
    }

    /// Shuts down sending.
    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Closes the connection in both directions, normally.
    func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Closes the connection with an error (RST) and discards what was not yet sent.
    func reset() {
        // Connecting to "no address" is how Linux dissolves a connection.
        var nowhere = sockaddr()
        nowhere.sa_family = sa_family_t(AF_UNSPEC)
        _ = connect(descriptor, &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
    }

    /// Closes the descriptor.
    package func end() { close(descriptor) }

    private func repeating(_ call: () -> Int) -> Int {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }
}

/// `POLLRDHUP`, which is only defined with `_GNU_SOURCE`: the peer has shut down sending.
private let hangUpEvent: Int16 = 0x2000

extension pollfd {
    fileprivate init(descriptor: Int32, events: Int16) { self.init(fd: descriptor, events: events, revents: 0) }
}
