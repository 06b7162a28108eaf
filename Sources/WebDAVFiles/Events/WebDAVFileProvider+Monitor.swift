import FileProviding
import Foundation
import HTTPFiles

extension WebDAVFileProvider: FileProviderMonitor {
    /// Returns changes as the server reports them by server-sent events.
    ///
    /// After an interruption the stream is opened again, and `rescan` reports that something may have been missed. A
    /// file whose identifier is seen for the first time is reported as new, although it may have been written before
    /// watching began.
    ///
    /// - Throws: `.featureUnsupported` for a server without events.
    public func changes(path: ItemPath, recursive: Bool) async throws -> FileChanges {
        let cloud = try await cloud(path, "events", where: \.supportsEvents)
        let bytes = try await events(cloud, after: nil)
        let entries = try await contentsOfDirectory(path: path.asDirectory)
        // Holding this provider would keep its context, whose release ends the notifications.
        let provider = copy()
        provider.context.logger = context.logger
        let watch = EventWatch(provider, cloud, path: path, isRecursive: recursive, entries: entries)
        let following = Locked<Task<Void, Never>?>(nil)
        let (changes, sink) = FileChangeSink.make(watching: path) { following.withLock { $0?.cancel() } }
        following.withLock { following in
            following = Task {
                do {
                    try await provider.follow(bytes, watch, sink)
                    sink.finish()
                } catch {
                    sink.finish(throwing: error)
                }
            }
        }
        return changes
    }

    /// The most times that an interrupted stream is opened again if no event arrives in between and none of the streams
    /// lasted.
    private static let attempts = 6
    /// The number of seconds after which a stream counts as having lasted, so that earlier interruptions no longer
    /// matter.
    private static let lastingTime = 30.0

    private func follow(
        _ bytes: ByteStream, _ watch: EventWatch, _ sink: FileChangeSink
    ) async throws {
        var (bytes, watch, last, failures) = (bytes, watch, String?.none, 0)
        while true {
            var parser = ServerSentEvents()
            var failure: URLError?
            let begin = session.pacer.elapsed()
            do {
                for try await chunk in bytes {
                    for event in try parser.consume(chunk) {
                        last = event.id ?? last
                        failures = 0
                        do {
                            guard let change = try CloudEvent(event) else { continue }
                            for change in try await watch.changes(for: change) {
                                sink.add(change)
                                if change == .rescan(watch.path), try await watch.isOver { return }
                            }
                        } catch is DecodingError { sink.add(.rescan(watch.path)) }
                    }
                }
            } catch let error as URLError where error.code != .cancelled { failure = error }
            try Task.checkCancellation()
            // Servers and proxies also end a stream when nothing happens.
            if session.pacer.elapsed() - begin >= Self.lastingTime { failures = 0 }
            if let failure, failures >= Self.attempts { throw failure }
            // A clean end affects the pause, but does not count as an interruption.
            if failure == nil { failures = min(failures, Self.attempts - 2) }
            bytes = try await reopened(watch.cloud, after: last, &failures)
            sink.add(.rescan(watch.path))
        }
    }

    /// Opens the stream again. Waits longer each time, and gives up with the server's last refusal.
    private func reopened(_ cloud: CloudServer, after last: String?, _ failures: inout Int) async throws -> ByteStream {
        while true {
            try await session.pacer.sleep(min(30, Double(1 << min(failures, 5))) - 0.8)
            failures += 1
            do {
                return try await events(cloud, after: last)
            } catch let error where error is URLError && failures < Self.attempts {}
        }
    }

    /// Opens the stream; when this returns, every later change is reported.
    private func events(_ cloud: CloudServer, after last: String?) async throws -> ByteStream {
        let resource = "apps/notifications/api/v1/notifications/sse"
        var request = ocsRequest(.get, cloud.installation, resource)
        request.headers["Accept"] = "text/event-stream"
        request.headers["Last-Event-ID"] = last
        request.deadlines = HTTPDeadlines(
            connect: session.configuration.deadlines.connect, idle: 300, minimumRate: 0)
        let (response, bytes) = try await session.stream(for: request)
        let type = response.headers["Content-Type"]?.lowercased() ?? ""
        guard response.isSuccess, type.hasPrefix("text/event-stream") else {
            throw urlError(response.url, code: .badServerResponse, reason: "no stream of events")
        }
        return bytes
    }
}
