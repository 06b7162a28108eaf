import Dispatch
import FileProviders
import Foundation

/// Ctrl-C and SIGTERM: the first one cancels the work, which then cleans up; a second one ends the process at once.
final class Signals {
    private let received = Locked<Int32?>(nil)
    private let sources: [any DispatchSourceSignal]

    /// The first signal received.
    var first: Int32? { received.withLock { $0 } }

    /// Makes writing to a closed pipe an error of the write instead of the end of the process.
    static func ignoreClosedPipes() { signal(SIGPIPE, SIG_IGN) }

    /// Begins to listen.
    init(cancelling cancel: @escaping @Sendable () -> Void) {
        let received = received
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInitiated))
            source.setEventHandler { @Sendable in
                let isFirst = received.withLock { known in
                    defer { known = known ?? number }
                    return known == nil
                }
                if isFirst { cancel() } else { _exit(ExitStatus.stopped(by: number)) }
            }
            source.resume()
            return source
        }
    }
}
