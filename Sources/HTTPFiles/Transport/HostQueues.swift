/// The transfers to one host.
///
/// Two kinds are counted separately, since they would otherwise wait for a transfer that waits for them: those that
/// send bytes which a task reads at the same time, possibly from the same host; and those for what has to be known
/// before the body of another reply is read.
final class HostQueues {
    /// A number of transfers that may run at once; the others wait in the order in which they came.
    final class Queue {
        var running = 0
        /// Removed entries are `nil` until the rest moves up, because a transfer holds a file open.
        private var waiting: [Transfer?] = []
        private var first = 0
    }

    let origin: Origin?
    let pumped = Queue()
    let besideReplies = Queue()
    let others = Queue()
    /// What is known about a host that is silent while it works.
    var life = Life()

    init(_ origin: Origin?) { self.origin = origin }

    /// Signs of whether a host is still alive.
    struct Life {
        /// When the host last answered a request completely, or refused one.
        var lastSign: ContinuousClock.Instant?
        /// The request that finds out whether the host answers at all.
        var probe: Transfer?
        /// The number of probes in a row that the host has not answered, by their method.
        var unanswered: [HTTPMethod: Int] = [:]
    }

    var isEmpty: Bool { pumped.isEmpty && besideReplies.isEmpty && others.isEmpty }
}

extension HostQueues.Queue {
    var isEmpty: Bool { running == 0 && first == waiting.count }

    func enqueue(_ transfer: Transfer) { waiting.append(transfer) }

    /// Removes and returns the transfer that waited longest and was not cancelled in the meantime.
    func dequeue() -> Transfer? {
        while first < waiting.count {
            let transfer = waiting[first].take()
            first += 1
            if first * 2 >= waiting.count {
                waiting.removeFirst(first)
                first = 0
            }
            if let transfer, !transfer.isOver { return transfer }
        }
        return nil
    }
}
