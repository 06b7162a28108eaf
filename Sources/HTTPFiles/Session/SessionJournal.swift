import FileProviding
import Foundation
import Logging
import Metrics

/// A session's logging: a debug line and metrics for each request, without secrets.
final class SessionJournal: Sendable {
    private struct Key: Hashable {
        let method: HTTPMethod
        let outcome: String
    }

    private struct Instruments {
        let requests: Counter
        let duration: Metrics.Timer

        init(_ key: Key) {
            let dimensions = [("method", key.method.rawValue), ("outcome", key.outcome)]
            requests = Counter(label: "fileproviders_http_requests_total", dimensions: dimensions)
            duration = Metrics.Timer(label: "fileproviders_http_request_duration", dimensions: dimensions)
        }
    }

    private let logger: Logger
    private let isLogging: Bool
    private let instruments = Locked<[Key: Instruments]>([:])

    init(_ logger: Logger) {
        self.logger = logger
        isLogging = logger.logLevel <= .debug
    }

    /// Records that one request was sent, and how it ended.
    func note(_ request: WireRequest, _ result: Result<Reply, any Error>, duration: Duration) {
        let key = Key(method: request.method, outcome: outcome(result))
        let instruments = instruments.withLock { known in
            if let instruments = known[key] { return instruments }
            let instruments = Instruments(key)
            known[key] = instruments
            return instruments
        }
        instruments.requests.increment()
        instruments.duration.record(duration: duration)
        guard isLogging else { return }
        var metadata: Logger.Metadata = [
            "method": "\(request.method)", "url": "\(shown(request.url, isSecret: request.hidesURL))",
            "ms": "\(Int(duration / .milliseconds(1)))",
        ]
        switch result {
        case .success(let reply):
            metadata["status"] = "\(reply.response.status)"
            if let bytes = reply.byteCount { metadata["bytes"] = "\(bytes)" }
        case .failure(let error): metadata["error"] = "\(shortText(error))"
        }
        logger.debug("HTTP request", metadata: metadata)
    }

    /// Records that a request is to be sent again.
    func noteRetry(_ request: HTTPRequest, pause: TimeInterval) {
        guard isLogging else { return }
        logger.debug(
            "HTTP retry",
            metadata: [
                "method": "\(request.method)", "url": "\(shown(request.url, isSecret: request.hidesURL))",
                "s": "\(pause)",
            ])
    }

    private func shown(_ url: URL, isSecret: Bool) -> String {
        let bare = withoutSecrets(url).absoluteString
        guard isSecret else { return bare }
        return Origin(url).map { "\($0.scheme)://\($0.host):\($0.port)/…" } ?? "…"
    }

    private func outcome(_ result: Result<Reply, any Error>) -> String {
        switch result {
        case .success(let reply): "\(reply.response.status / 100)xx"
        case .failure(is CancellationError): "cancelled"
        case .failure: "failed"
        }
    }

    private func shortText(_ error: any Error) -> String {
        switch error {
        case let failure as TransferFailure: shortText(failure.error)
        case let error as URLError: "URL error \(error.code.rawValue)"
        default: "\(type(of: error))"
        }
    }
}

extension Reply {
    fileprivate var byteCount: Int64? {
        switch body {
        case .whole(let data): Int64(data.count)
        case .written(let count): count
        case .stream: nil
        }
    }
}
