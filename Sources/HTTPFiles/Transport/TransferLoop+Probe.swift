import CCurl
import FileProviding
import Foundation

/// Distinguishes a server at work from one that hangs, by whether it answers something else.
///
/// During a long COPY a server is as silent as one that is stalled. After the time in which any other request would
/// have been given up, the server is sent further requests, one after another; if it leaves three of them unanswered as
/// well, it is given up. A single one says little: a server with few workers may have all of them busy with the
/// original requests.
///
/// Beside a PROPFIND that is another one, of the folder alone: a gateway may answer OPTIONS for a server that hangs. It
/// says nothing about requests of other kinds, nor do those about it.
extension TransferLoop {
    private static let patience = 3

    /// Probes the server of a transfer that has been silent for long, unless the server was heard from lately or is
    /// being probed.
    func probe(for transfer: Transfer, now: ContinuousClock.Instant) {
        guard let host = transfer.host, host.life.probe == nil,
            !isHeard(host, within: transfer.request.deadlines.idle, now: now)
        else { return }
        let probe = Transfer(transfer.request.probe, upload: nil, mode: .whole) { _ in false }
        host.life.probe = probe
        start(probe)
        if probe.isOver { host.life.probe = nil }
    }

    /// Gives up silent transfers when the server has answered none of the probes. A refused connection is a sign of
    /// life; one that was not established says nothing.
    func conclude(probe: Transfer, in host: HostQueues, isUnanswered: Bool) {
        host.life.probe = nil
        guard isUnanswered, probe.requestsSent > 0 else {
            host.life.lastSign = .now
            host.life.unanswered[probe.request.method] = nil
            return
        }
        let isHeard = isHeard(host, within: probe.request.deadlines.idle, now: .now)
        let unanswered = isHeard ? 0 : host.life.unanswered[probe.request.method, default: 0] + 1
        host.life.unanswered[probe.request.method] = unanswered
        guard unanswered >= Self.patience else { return }
        for transfer in active.values
        where transfer.isDoubtful && transfer.host === host && transfer.request.probeMethod == probe.request.method {
            transfer.failure = urlError(
                transfer.request.url, code: .timedOut,
                reason: "no byte for \(Int(transfer.watch.silence)) s, nor an answer to other requests")
            end(transfer, CURLE_OPERATION_TIMEDOUT)
        }
    }

    private func isHeard(_ host: HostQueues, within seconds: TimeInterval, now: ContinuousClock.Instant) -> Bool {
        if let sign = host.life.lastSign, now - sign < .seconds(seconds) { return true }
        return active.values.contains { $0.isHeard && $0.host === host }
    }
}

extension Transfer {
    /// Whether the server has been silent about its work for so long that it may be hanging.
    var isDoubtful: Bool { !isOver && answerTime != nil && watch.silence >= request.deadlines.idle }

    /// Whether bytes arrived lately.
    fileprivate var isHeard: Bool {
        guard let handle, headBytes + handle.bytesReceived > 0, !isReceivingPaused else { return false }
        return watch.silence < request.deadlines.idle
    }
}

extension WireRequest {
    fileprivate var probeMethod: HTTPMethod { method == .propfind ? .propfind : .options }

    /// A request that any server answers at once, even if only with a refusal; it is sent without a credential.
    fileprivate var probe: WireRequest {
        var probe = WireRequest(
            method: probeMethod, url: URL(string: "/", relativeTo: url)?.absoluteURL ?? url, origin: origin,
            headers: HTTPHeaders(), deadlines: deadlines, limits: limits, isSafeToRepeat: true, isAlone: true,
            trust: trust)
        if probeMethod == .propfind {
            probe.url = url
            probe.headers["Depth"] = "0"
        }
        if let agent = headers["User-Agent"] { probe.headers.add("User-Agent", agent) }
        return probe
    }
}
