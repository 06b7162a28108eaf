import CCurl
import FileProviding
import Foundation
import Glibc

/// Runs all transfers of a session on one thread, using libcurl's multi interface.
///
/// The thread starts with the first transfer and ends when the loop is closed and nothing is in flight. Tasks post
/// orders; a task that finds the thread busy leaves its order without waking it.
final class TransferLoop: @unchecked Sendable {
    // `inbox` is shared under its lock; everything else belongs to the thread.

    /// An order from a task to the loop.
    enum Order {
        case start(Transfer)
        /// There is room for received bytes again.
        case receive(Transfer)
        /// There are bytes to send again.
        case send(Transfer)
        case cancel(Transfer)
    }

    private struct Inbox {
        var orders: [Order] = []
        var requestCount = 0
        var hasThread = false
        var isParked = false
        var isClosed = false

        mutating func unpark() -> Signal {
            defer { isParked = false }
            return isParked ? .wake : .none
        }
    }

    private enum Signal { case none, wake, launch }

    private let inbox = Locked(Inbox())
    let multi: UnsafeMutableRawPointer
    let settings: HandleSettings
    var hosts: [Origin?: HostQueues] = [:]
    var active: [UnsafeMutableRawPointer: Transfer] = [:]
    var idleHandles: [EasyHandle.BufferSize: [EasyHandle]] = [:]
    var lookInterval: TimeInterval = 1
    var lastLook = ContinuousClock.now

    init(_ settings: HandleSettings) {
        self.settings = settings
        precondition(CurlLibrary.isReady, "libcurl cannot be set up")
        multi = curl_multi_init()
        ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, settings.configuration.maximumConnections * 2 + 4)
    }

    deinit {
        idleHandles = [:]
        curl_multi_cleanup(multi)
    }

    /// The number of requests sent so far.
    var requestCount: Int { inbox.withLock { $0.requestCount } }

    /// Counts a request that is being sent.
    func countRequest() { inbox.withLock { $0.requestCount += 1 } }

    /// Runs a transfer until its reply: until the reply's head if the body is pulled, otherwise to the end.
    func perform(_ transfer: Transfer) async throws -> Reply {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                transfer.continuation = continuation
                post(.start(transfer))
            }
        } onCancel: {
            post(.cancel(transfer))
        }
    }

    /// Closes the loop: no further transfers will come; those in flight continue.
    func close() {
        act(
            on: inbox.withLock { inbox in
                inbox.isClosed = true
                return inbox.unpark()
            })
    }

    func post(_ order: Order) {
        act(
            on: inbox.withLock { inbox in
                inbox.orders.append(order)
                guard inbox.hasThread else {
                    inbox.hasThread = true
                    return .launch
                }
                return inbox.unpark()
            })
    }

    private func act(on signal: Signal) {
        switch signal {
        case .none: break
        case .wake: curl_multi_wakeup(multi)
        case .launch:
            let thread = Thread { self.run() }
            thread.name = "HTTPSession"
            thread.start()
        }
    }

    private func run() {
        blockBrokenPipeSignal()
        repeat {
            obey(
                inbox.withLock { inbox in
                    defer { inbox.orders = [] }
                    return inbox.orders
                })
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            collectResults()
            for transfer in active.values { transfer.flush() }
            lookAtDeadlines()
        } while park()
    }

    /// Waits for sockets, deadlines or orders. Returns `false` when the thread is to end.
    private func park() -> Bool {
        let isIdle = active.isEmpty
        let timeout = inbox.withLock { inbox -> Int32? in
            guard inbox.orders.isEmpty else { return 0 }
            if isIdle, inbox.isClosed {
                inbox.hasThread = false
                return nil
            }
            inbox.isParked = true
            return isIdle ? .max : Int32(lookInterval * 1000)
        }
        guard let timeout else { return false }
        guard timeout > 0 else { return true }
        curl_multi_poll(multi, nil, 0, timeout, nil)
        inbox.withLock { $0.isParked = false }
        return true
    }
}

/// Blocks SIGPIPE on a thread that runs libcurl: OpenSSL writes without asking for an error instead of the signal,
/// which would end the process.
func blockBrokenPipeSignal() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
}
