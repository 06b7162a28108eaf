import CCurl
import FileProviding
import Foundation
import Glibc

/// The part of the thread's work that concerns transfers.
extension TransferLoop {
    func obey(_ orders: [Order]) {
        for order in orders {
            switch order {
            case .start(let transfer): admit(transfer)
            case .receive(let transfer):
                guard transfer.handle != nil else { break }
                transfer.flush()
                if transfer.isReceivingPaused {
                    transfer.isReceivingPaused = false
                    resume(transfer)
                }
            case .send(let transfer):
                guard transfer.handle != nil, transfer.isSendingPaused else { break }
                transfer.isSendingPaused = false
                resume(transfer)
            case .cancel(let transfer): cancel(transfer)
            }
        }
    }

    private func admit(_ transfer: Transfer) {
        transfer.isAdmitted = true
        guard !transfer.isCancelled else { return transfer.finish(nil) }
        let queue = transfer.queue(in: host(of: transfer))
        if hasRoom(queue) {
            start(transfer)
        } else {
            queue.enqueue(transfer)
        }
    }

    private func host(of transfer: Transfer) -> HostQueues {
        if let host = transfer.host { return host }
        let origin = transfer.request.origin
        if let host = hosts[origin] {
            transfer.host = host
            return host
        }
        let host = HostQueues(origin)
        (hosts[origin], transfer.host) = (host, host)
        return host
    }

    private func hasRoom(_ queue: HostQueues.Queue) -> Bool {
        queue.running < settings.configuration.maximumConnections
    }

    func start(_ transfer: Transfer) {
        let size = transfer.bufferSize
        guard let handle = idleHandles[size]?.popLast() ?? EasyHandle(size, settings: settings) else {
            let error = urlError(transfer.request.url, code: .unknown, reason: "out of memory")
            return transfer.finish(TransferFailure(error: error, stage: .notSent))
        }
        transfer.queue(in: host(of: transfer)).running += 1
        transfer.begin(in: self, with: handle)
        handle.begin(transfer, isCrowded: active.count >= 4)
        active[handle.pointer] = transfer
        lookInterval = active.count == 1 ? transfer.watch.interval : min(lookInterval, transfer.watch.interval)
        curl_multi_add_handle(multi, handle.pointer)
    }

    private func resume(_ transfer: Transfer) {
        guard let code = transfer.handle?.go(), code != CURLE_OK else { return }
        end(transfer, code)
    }

    /// Gives a transfer up. A request that cannot be taken back has a moment to be answered, so that its caller learns
    /// the outcome where possible.
    private func cancel(_ transfer: Transfer) {
        guard !transfer.isOver else { return }
        if transfer.isBeyondRecall, transfer.patience == nil {
            transfer.patience = .now + .seconds(2)
            lookInterval = min(lookInterval, 0.25)
            return
        }
        transfer.isCancelled = true
        if transfer.handle != nil {
            end(transfer, CURLE_ABORTED_BY_CALLBACK)
        } else if transfer.isAdmitted {
            transfer.finish(nil)
        }
    }

    func collectResults() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let pointer = message.pointee.easy_handle,
                let transfer = active[pointer]
            else { continue }
            end(transfer, ccurl_result(message))
        }
    }

    func lookAtDeadlines() {
        let now = ContinuousClock.now
        guard !active.isEmpty, (now - lastLook) / .seconds(1) >= lookInterval * 0.9 else { return }
        lastLook = now
        for transfer in active.values {
            if let patience = transfer.patience, now > patience {
                cancel(transfer)
                continue
            }
            guard let complaint = transfer.complaint(now: now) else {
                if transfer.isDoubtful { probe(for: transfer, now: now) }
                continue
            }
            transfer.failure = urlError(transfer.request.url, code: .timedOut, reason: complaint)
            end(transfer, CURLE_OPERATION_TIMEDOUT)
        }
    }

    /// Takes a transfer off its connection, resumes the waiting task, and starts the next transfer.
    func end(_ transfer: Transfer, _ code: CURLcode) {
        guard let handle = transfer.handle else { return }
        transfer.flush()
        let failure = transfer.failure(code)
        curl_multi_remove_handle(multi, handle.pointer)
        active[handle.pointer] = nil
        handle.end()
        transfer.handle = nil
        idleHandles[handle.size, default: []].append(handle)
        transfer.finish(failure)
        let host = host(of: transfer)
        let queue = transfer.queue(in: host)
        queue.running -= 1
        if transfer.hasHead, failure == nil { host.life.lastSign = .now }
        if host.life.probe === transfer {
            conclude(probe: transfer, in: host, isUnanswered: code == CURLE_OPERATION_TIMEDOUT)
        }
        // A probe runs in addition to as many transfers as may run.
        if hasRoom(queue), let next = queue.dequeue() { start(next) }
        if host.isEmpty { hosts[host.origin] = nil }
    }
}

extension Transfer {
    fileprivate func queue(in host: HostQueues) -> HostQueues.Queue {
        if upload is PumpedSource { return host.pumped }
        return request.isBesideReply ? host.besideReplies : host.others
    }

    /// Small buffers limit how much of a compressed reply is unpacked at once; large ones make files fast.
    fileprivate var bufferSize: EasyHandle.BufferSize {
        if request.acceptsCompression { return .small }
        if let upload, upload.length ?? .max > 64 << 10 { return .large }
        if case .whole = mode { return .small }
        return .large
    }

    /// Returns what is wrong with the transfer's pace, if anything.
    fileprivate func complaint(now: ContinuousClock.Instant) -> String? {
        guard let handle, requestsSent > 0 else { return nil }
        return watch.look(
            at: headBytes + handle.bytesReceived + handle.bytesSent,
            isHeldUp: isReceivingPaused || isSendingPaused, answerTime: answerTime, now: now)
    }

    /// Returns why a transfer that ended with a code failed, or `nil` if it did not.
    fileprivate func failure(_ code: CURLcode) -> TransferFailure? {
        if let failure {
            let isTransient = code == CURLE_OPERATION_TIMEDOUT
            return TransferFailure(error: failure, stage: stage, isTransient: isTransient)
        }
        if code == CURLE_OK, !hasHead {
            let error = urlError(request.url, code: .networkConnectionLost, reason: "within the reply's head")
            return TransferFailure(error: error, stage: stage, isTransient: true)
        }
        guard code != CURLE_OK, !isSatisfied, let handle else { return nil }
        let proxyStatus = handle.long(CURLINFO_HTTP_CONNECTCODE)
        if requestsSent == 0, proxyStatus >= 300 {
            let reason = "the proxy answered with status \(proxyStatus)"
            return TransferFailure(
                error: urlError(request.url, code: .cannotConnectToHost, reason: reason), stage: .notSent)
        }
        return TransferFailure(
            code, url: request.url, stage: stage, text: handle.text,
            verification: handle.long(CURLINFO_SSL_VERIFYRESULT),
            systemError: Int32(truncatingIfNeeded: handle.long(CURLINFO_OS_ERRNO)),
            configuration: handle.settings.configuration)
    }
}
