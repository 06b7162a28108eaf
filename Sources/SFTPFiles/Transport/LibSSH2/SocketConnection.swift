import FileProviding
import Foundation
import Glibc

/// A TCP connection being established, with a deadline and a waker.
struct SocketConnection {
    let url: URL
    let waker: Waker
    let timeout: Duration
    /// The user who was asked; the time that they took does not count as the server's.
    let person: TimedInteraction?
    private let start = ContinuousClock.now

    init(url: URL, waker: Waker, timeout: Duration, person: TimedInteraction?) {
        self.url = url
        self.waker = waker
        self.timeout = timeout
        self.person = person
    }

    /// How much longer the server may take until the login is complete.
    var timeLeft: Duration { timeout + (person?.waited ?? .zero) - (.now - start) }

    /// Tries a host's addresses one after another, each for its share of a third of the timeout, which is not
    /// shorter if it took long to resolve the name.
    ///
    /// - Returns: a non-blocking socket.
    /// - Throws: ``LibSSH2Limit`` for a name that cannot be resolved: it may be an alias of the OpenSSH client's.
    func open(host: String, port: Int) throws -> LocalFileHandle {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_ADDRCONFIG
        var found: UnsafeMutablePointer<addrinfo>?
        let result = getaddrinfo(host, String(port), &hints, &found)
        guard result == 0, let first = found else {
            throw LibSSH2Limit(
                "the name is unknown (\(String(cString: gai_strerror(result))))",
                urlError(url, code: .cannotFindHost, reason: String(cString: gai_strerror(result))))
        }
        defer { freeaddrinfo(first) }
        var problem = ECONNREFUSED
        let (resolved, timeToConnect) = (ContinuousClock.now, timeout / 3)
        let addresses = Array(sequence(first: first) { $0.pointee.ai_next })
        for (index, address) in addresses.enumerated() {
            let descriptor = socket(
                address.pointee.ai_family,
                address.pointee.ai_socktype | Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
            guard descriptor >= 0 else { continue }
            let connection = LocalFileHandle(owning: descriptor)
            let share = (timeToConnect - (.now - resolved)) / (addresses.count - index)
            problem = try connect(connection, address.pointee, until: .now + share)
            if problem == 0 {
                configure(connection)
                return connection
            }
        }
        let code: URLError.Code = problem == ETIMEDOUT ? .timedOut : .cannotConnectToHost
        let error = urlError(url, code: code, reason: String(cString: strerror(problem)))
        throw problem == ECONNREFUSED ? error.ungreeted() : error
    }

    private func connect(
        _ connection: LocalFileHandle, _ address: addrinfo, until deadline: ContinuousClock.Instant
    ) throws -> Int32 {
        if Glibc.connect(connection.descriptor, address.ai_addr, address.ai_addrlen) == 0 { return 0 }
        guard errno == EINPROGRESS else { return errno }
        while true {
            guard .now < deadline else { return ETIMEDOUT }
            if try wait(connection.descriptor, for: POLLOUT) { break }
        }
        var problem: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(connection.descriptor, SOL_SOCKET, SO_ERROR, &problem, &size)
        return problem
    }

    /// Waits for a descriptor for at most about a second; returns whether it is ready.
    ///
    /// - Throws: `CancellationError` if the connection is no longer needed.
    func wait(_ descriptor: Int32, for events: Int32, atMost time: Duration = .seconds(1)) throws -> Bool {
        var wishes = [
            pollfd(fd: descriptor, events: Int16(events), revents: 0),
            pollfd(fd: waker.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        let ready = poll(&wishes, 2, Int32(min(max(time, .zero), .seconds(1)) / .milliseconds(1)) + 1)
        if wishes[1].revents != 0 { throw CancellationError() }
        return ready > 0
    }

    private func configure(_ connection: LocalFileHandle) {
        var yes: Int32 = 1
        setsockopt(connection.descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        // A dead line is detected when sent data is not acknowledged for this many milliseconds.
        var patience: UInt32 = 45_000
        setsockopt(
            connection.descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &patience,
            socklen_t(MemoryLayout<UInt32>.size))
    }
}
