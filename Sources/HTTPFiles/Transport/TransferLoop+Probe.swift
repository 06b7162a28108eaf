import CCurl
import FileProviding
import Foundation

/// How a server at work is told from one that hangs: it answers something else.
///
/// Over a long COPY a server is as silent as one that stands still. After the time in which any other server would have been
/// given up it gets a second request, on a connection of its own; one that answers no more than the first time ends both.
extension TransferLoop {
    /// Asks the server of a transfer that has been silent for long, unless it was heard of lately or is being asked.
    func probe(for transfer: Transfer, now: ContinuousClock.Instant) {
        let key = Lane.Key(transfer.request.url)
        guard let lane = lanes[key], lane.probe == nil,
            !isHeard(key, within: transfer.request.deadlines.idle, now: now)
        else { return }
        let probe = Transfer(transfer.request.probe, upload: nil, mode: .whole) { _ in false }
        lanes[key]?.probe = probe
        start(probe)
    }

    /// Gives up what is silent over a server that did not answer the probe either. One that refuses a second connection
    /// is not silent.
    func conclude(probe: Transfer, in key: Lane.Key, timedOut: Bool) {
        lanes[key]?.probe = nil
        guard timedOut, !isHeard(key, within: probe.request.deadlines.idle, now: .now) else { return }
        for transfer in active.values where transfer.isDoubtful && Lane.Key(transfer.request.url) == key {
            transfer.failure = urlError(
                transfer.request.url, code: .timedOut,
                reason: "no byte for \(Int(transfer.watch.silence)) s, nor an answer to another request")
            end(transfer, CURLE_OPERATION_TIMEDOUT)
        }
    }

    private func isHeard(_ key: Lane.Key, within seconds: TimeInterval, now: ContinuousClock.Instant) -> Bool {
        if let answer = lanes[key]?.lastAnswer, now - answer < .seconds(seconds) { return true }
        return active.values.contains { $0.isHeard && Lane.Key($0.request.url) == key }
    }
}

extension Transfer {
    /// Whether the server has been silent over its work for so long that it may as well hang.
    var isDoubtful: Bool { !isOver && answerTime != nil && watch.silence >= request.deadlines.idle }

    /// Whether bytes came lately.
    fileprivate var isHeard: Bool {
        guard let handle, headBytes + handle.bytesReceived > 0 else { return false }
        return watch.silence < request.deadlines.idle
    }
}

extension WireRequest {
    /// A request that any server answers at once, be it by refusing it: who asks is not told.
    fileprivate var probe: WireRequest {
        var probe = WireRequest(
            method: .options, url: URL(string: "/", relativeTo: url)?.absoluteURL ?? url, headers: HTTPHeaders(),
            deadlines: deadlines, limits: limits, isSafeToRepeat: true, trust: trust)
        if let agent = headers["User-Agent"] { probe.headers.add("User-Agent", agent) }
        return probe
    }
}
