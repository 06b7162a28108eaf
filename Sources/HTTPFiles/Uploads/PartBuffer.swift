import Foundation

/// Memory for one part, which is returned to the system when released: malloc keeps several blocks of this size,
/// scattered.
final class PartBuffer {
    private let base: UnsafeMutableRawPointer
    private let capacity: Int
    private var count = 0

    init(capacity: Int) throws {
        let memory = mmap(nil, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let memory, memory != MAP_FAILED else { throw POSIXError(.ENOMEM) }
        base = memory
        self.capacity = capacity
    }

    deinit { munmap(base, capacity) }

    var isFull: Bool { count == capacity }

    /// The bytes so far; they retain the memory.
    var data: Data { Data(bytesNoCopy: base, count: count, deallocator: .custom { [self] _, _ in _ = self }) }

    /// Appends as many bytes as there is room for, and returns how many.
    func append(_ bytes: Data) -> Int {
        let taken = bytes.prefix(capacity - count)
        taken.withUnsafeBytes { (base + count).copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
        count += taken.count
        return taken.count
    }
}
