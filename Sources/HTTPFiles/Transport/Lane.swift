/// The transfers to one host.
///
/// Those that send what a task reads meanwhile are counted by themselves: it may read from the same host, and each of
/// them would wait for a transfer that it keeps from beginning.
final class Lane {
    /// So many run, the others wait in the order they came.
    final class Queue {
        var running = 0
        /// What has been taken out is `nil` until the rest moves up: a transfer holds a file open.
        private var waiting: [Transfer?] = []
        private var first = 0
    }

    let origin: Origin?
    let pumped = Queue()
    let others = Queue()
    /// What is known of a host that is silent over its work.
    var life = Life()

    init(_ origin: Origin?) { self.origin = origin }

    /// Whether a host is still there.
    struct Life {
        /// When it last answered a request to its end, or turned one away.
        var lastSign: ContinuousClock.Instant?
        /// The request that finds out whether it answers at all.
        var probe: Transfer?
        /// How many of those it has not answered since.
        var unanswered = 0
    }

    var isEmpty: Bool { pumped.isEmpty && others.isEmpty }
}

extension Lane.Queue {
    var isEmpty: Bool { running == 0 && first == waiting.count }

    func enqueue(_ transfer: Transfer) { waiting.append(transfer) }

    /// The transfer that waited longest and was not cancelled meanwhile.
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
