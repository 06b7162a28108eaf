import CCurl
import FileProviding
import Foundation

/// Fetches the certificate that a server presents, without sending a request.
struct CertificateProbe: Sendable {
    let settings: HandleSettings

    /// Connects to the URL's host, completes the TLS handshake, and disconnects.
    func certificate(of url: URL, within seconds: TimeInterval) async throws -> PresentedCertificate {
        let waiting = Locked<CheckedContinuation<PresentedCertificate, any Error>?>(nil)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                waiting.withLock { $0 = continuation }
                if Task.isCancelled { waiting.withLock { $0.take() }?.resume(throwing: CancellationError()) }
                // libcurl blocks here, and this is rare: use a separate thread for one handshake.
                Thread.detachNewThread {
                    blockBrokenPipeSignal()
                    let result = Result { try look(at: url, within: seconds) }
                    waiting.withLock { $0.take() }?.resume(with: result)
                }
            }
        } onCancel: {
            waiting.withLock { $0.take() }?.resume(throwing: CancellationError())
        }
    }

    private func look(at url: URL, within seconds: TimeInterval) throws -> PresentedCertificate {
        guard let handle = EasyHandle(.small, settings: settings) else { throw urlError(url, code: .unknown) }
        handle.set(CURLOPT_URL, url.absoluteString)
        handle.set(CURLOPT_TIMEOUT_MS, handle.milliseconds(seconds))
        handle.setTrust(.inspection)
        settings.applyClientCertificate(to: handle, for: Origin(url))
        let code = curl_easy_perform(handle.pointer)
        guard code == CURLE_OK else {
            throw TransferFailure(
                code, url: url, stage: .notSent, text: handle.text, verification: 0, systemError: 0,
                configuration: settings.configuration
            ).error
        }
        guard let certificate = PresentedCertificate(fields: leafFields(of: handle)) else {
            throw urlError(url, code: .secureConnectionFailed, reason: "the server's certificate cannot be read")
        }
        return certificate
    }

    /// Returns libcurl's information about the server's own certificate, which comes first: lines of the form
    /// `Name:value`.
    private func leafFields(of handle: EasyHandle) -> [String: String] {
        var chain: UnsafeMutablePointer<curl_certinfo>?
        guard ccurl_get_certificates(handle.pointer, &chain) == CURLE_OK, let chain, chain.pointee.num_of_certs > 0,
            var line = chain.pointee.certinfo[0]
        else { return [:] }
        var fields: [String: String] = [:]
        while true {
            let text = String(cString: line.pointee.data)
            if let colon = text.firstIndex(of: ":") {
                fields[String(text[..<colon])] = String(text[text.index(after: colon)...])
            }
            guard let next = line.pointee.next else { return fields }
            line = next
        }
    }
}
