import Foundation

/// One direction of a proxied connection, with its faults.
struct FaultyDirection {
    private let source: Connection
    private let target: Connection
    private let faults: [FaultProxy.Fault]

    init(from source: Connection, to target: Connection, _ faults: [FaultProxy.Fault]) {
        self.source = source
        self.target = target
        self.faults = faults
    }

    /// Forwards bytes until one side or a fault ends the connection.
    func run(count: (Int) -> Void) {
        var passed = 0
        while let piece = source.read(upTo: pieceSize) {
            guard pass(piece, behind: passed, count) else { return }
            passed += piece.count
        }
        target.finishSending()
    }

    /// A slow direction uses small pieces, so that its pace is even.
    private var pieceSize: Int {
        faults.reduce(64 << 10) { size, fault in
            if case .trickle(let rate) = fault { min(size, max(1, rate / 20)) } else { size }
        }
    }

    private func pass(_ piece: Data, behind passed: Int, _ count: (Int) -> Void) -> Bool {
        var piece = Data(piece)
        var ending: FaultProxy.Fault?
        for fault in faults {
            switch fault {
            case .delay(let seconds):
                guard target.wait(seconds: seconds) else { return false }
            case .trickle(let rate):
                guard target.wait(seconds: Double(piece.count) / Double(rate)) else { return false }
            case .hold(let beginning, let gate):
                if piece.starts(with: beginning.utf8) { gate.pass() }
            case .corrupt(let position):
                if (passed..<passed + piece.count).contains(position) { piece[position - passed] ^= 0xFF }
            case .cut(let limit), .reset(let limit), .stall(let limit):
                guard passed + piece.count >= limit else { continue }
                piece = piece.prefix(limit - passed)
                ending = fault
            }
        }
        guard target.write(piece) else { return false }
        count(piece.count)
        guard let ending else { return true }
        end(ending)
        return false
    }

    private func end(_ fault: FaultProxy.Fault) {
        switch fault {
        case .reset:
            source.reset()
            target.reset()
            return
        case .stall: target.waitForEnd()
        default: break
        }
        source.hangUp()
        target.hangUp()
    }
}
