import FileProviding

/// Hands elements from producers to consumers; a producer waits once `capacity` elements are waiting.
final class BoundedQueue<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var head = 0
        var isFinished = false
        var consumers: [CheckedContinuation<Element?, Never>] = []
        var producers: [CheckedContinuation<Void, Never>] = []

        var count: Int { elements.count - head }

        mutating func take() -> Element {
            defer {
                head += 1
                if head > 512, head * 2 > elements.count {
                    elements.removeFirst(head)
                    head = 0
                }
            }
            return elements[head]
        }
    }

    private let state = Locked(State())
    private let capacity: Int

    init(capacity: Int) { self.capacity = capacity }

    /// Adds an element; waits first while the queue is full.
    func send(_ element: Element) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let action: () -> Void = state.withLock { state in
                if state.isFinished { return { continuation.resume() } }
                if !state.consumers.isEmpty {
                    let consumer = state.consumers.removeFirst()
                    return {
                        consumer.resume(returning: element)
                        continuation.resume()
                    }
                }
                state.elements.append(element)
                if state.count < capacity { return { continuation.resume() } }
                state.producers.append(continuation)
                return {}
            }
            action()
        }
    }

    /// The next element; waits for one; `nil` once the queue is finished and empty.
    func receive() async -> Element? {
        await withCheckedContinuation { continuation in
            let action: () -> Void = state.withLock { state in
                if state.count > 0 {
                    let element = state.take()
                    let producer = state.producers.isEmpty ? nil : state.producers.removeFirst()
                    return {
                        continuation.resume(returning: element)
                        producer?.resume()
                    }
                }
                if state.isFinished { return { continuation.resume(returning: nil) } }
                state.consumers.append(continuation)
                return {}
            }
            action()
        }
    }

    /// Throws away what waits; more may come.
    func drain() {
        let producers = state.withLock { state in
            state.elements = []
            state.head = 0
            defer { state.producers = [] }
            return state.producers
        }
        producers.forEach { $0.resume() }
    }

    /// Nothing more comes. With `discarding`, what waits is thrown away.
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
