import FileProviders
import Foundation
import ShelfProvider
import Synchronization

// CopyBetweenProviders SOURCE DESTINATION: a file or folder from any provider to any other, each named by its URL.
//
//   CopyBetweenProviders file:///home/me/photos shelf://127.0.0.1:8080/photos

var registry = ProviderRegistry.standard
registry.register(ShelfProvider.self)

do {
    let urls = CommandLine.arguments.dropFirst().compactMap { URL(string: $0) }
    guard urls.count == 2 else { throw urlError(nil, code: .badURL, reason: "two are needed") }
    let ends = try urls.map { try registry.open($0) }.map { TransferEndpoint($0.provider, $0.path) }
    var options = TransferOptions()
    options.recursive = true
    let plan = try await TransferPlan(from: [ends[0]], to: ends[1], options: options)

    let meter = Meter()
    let display = Task {
        while true {
            try await Task.sleep(for: .milliseconds(100))
            print(meter.line, terminator: "")
        }
    }
    let report = try await Transfer(plan).run { meter.note($0) }
    display.cancel()
    print(meter.line, "in \(report.duration)")
    for failure in report.failures { print(failure.source, failure.error?.localizedDescription ?? "") }
    exit(report.isComplete ? 0 : 1)
} catch {
    print(error.localizedDescription)
    exit(1)
}

/// Adds up what a transfer tells from its tasks.
final class Meter: Sendable {
    private let state = Mutex((found: Int64(0), copied: Int64(0), active: [ItemPath: OperationProgress]()))

    func note(_ event: TransferEvent) {
        state.withLock { state in
            switch event {
            case .found(_, let bytes): state.found = bytes
            case .began(let source, _, let progress): state.active[source] = progress
            case .ended(let receipt):
                state.active[receipt.source] = nil
                state.copied += receipt.bytes
            }
        }
    }

    var line: String {
        let (found, copied, active) = state.withLock { $0 }
        return "\r\(active.values.reduce(copied) { $0 + $1.current.completed }) of \(found) bytes"
    }
}
