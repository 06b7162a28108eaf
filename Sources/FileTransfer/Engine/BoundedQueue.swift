import FileProviding

/// Passes elements from producers to consumers; a producer waits once `capacity` elements are waiting.
final class BoundedQueue<Element: Sendable>: Sendable {
    private typealias Consumer = CheckedContinuation<Element?, Never>
    private typealias Producer = CheckedContinuation<Void, Never>

    private struct State {
        var elements: [Element] = []
        var head = 0
        var isFinished = false
        var consumers: [Consumer] = []
        var producers: [Producer] = []

        var count: Int { elements.count - head }

        private mutating func take() -> Element {
            defer {
                head += 1
                if head > 512, head * 2 > elements.count {
                    elements.removeFirst(head)
                    head = 0
                }
            }
            return elements[head]
        }

        /// Removes the next element, and returns it with the producer that may now add another.
        mutating func next() -> (Element, Producer?)? {
            guard count > 0 else { return nil }
            return (take(), producers.isEmpty ? nil : producers.removeFirst())
        }
    }

    private let state = Locked(State())
    private let capacity: Int

    init(capacity: Int) { self.capacity = capacity }

    /// Adds an element; waits while the queue is full.
    func send(_ element: Element) async {
        let (consumer, isFull) = state.withLock { state -> (Consumer?, Bool) in
            if state.isFinished { return (nil, false) }
            if !state.consumers.isEmpty { return (state.consumers.removeFirst(), false) }
            state.elements.append(element)
            return (nil, state.count >= capacity)
        }
        consumer?.resume(returning: element)
        guard isFull else { return }
        await withCheckedContinuation { continuation in
            let goesOn = state.withLock { state in
                if state.isFinished || state.count < capacity { return true }
                state.producers.append(continuation)
                return false
            }
            if goesOn { continuation.resume() }
        }
    }

    /// Gives an element to a waiting consumer. Returns whether there was one.
    func hand(_ element: Element) -> Bool {
        let consumer = state.withLock { $0.consumers.isEmpty ? nil : $0.consumers.removeFirst() }
        consumer?.resume(returning: element)
        return consumer != nil
    }

    /// Returns the next element, and waits for one if necessary; `nil` once the queue is finished and empty.
    func receive() async -> Element? {
        if let (element, producer) = state.withLock({ $0.next() }) {
            producer?.resume()
            return element
        }
        return await withCheckedContinuation { consumer in
            let next = state.withLock { state -> (Element?, Producer?)? in
                if let next = state.next() { return next }
                if state.isFinished { return (nil, nil) }
                state.consumers.append(consumer)
                return nil
            }
            guard let (element, producer) = next else { return }
            producer?.resume()
            consumer.resume(returning: element)
        }
    }

    /// Discards the waiting elements; more may come.
    func drain() {
        let producers = state.withLock { state in
            state.elements = []
            state.head = 0
            defer { state.producers = [] }
            return state.producers
        }
        producers.forEach { $0.resume() }
    }

    /// Ends the queue: no further elements come. With `discarding`, waiting elements are discarded.
    func finish(discarding: Bool = false) {
        let (consumers, producers) = state.withLock { state in
            state.isFinished = true
            if discarding {
                state.elements = []
                state.head = 0
            }
            defer {
                state.consumers = []
                state.producers = []
            }
            return (state.consumers, state.producers)
        }
        consumers.forEach { $0.resume(returning: nil) }
        producers.forEach { $0.resume() }
    }
}
