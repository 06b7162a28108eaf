import FileProviding
import Foundation

/// Decides which servers a session talks to over TLS.
///
/// A pin is a certificate's fingerprint, but libcurl can only pin a connection to a public key. So the certificate of a
/// pinned host is first fetched in a handshake without a request, and every connection is then pinned to the key of the
/// certificate that matched: only its owner can answer. A host that is not pinned must have a certificate that
/// verifies.
final class TrustKeeper: Sendable {
    private struct State {
        var pins: [String: Set<String>]
        /// The keys of the pinned certificates that a host has shown.
        var keys: [Origin: [String]] = [:]
        /// The hosts that have shown yet another key.
        var outdated: Set<Origin> = []
        var decider: (any ServerTrustDeciding)?
        var questions: [ServerCertificate: SharedResult<Bool>] = [:]
    }

    private let probe: CertificateProbe
    private let state: Locked<State>

    init(_ settings: HandleSettings) {
        probe = CertificateProbe(settings: settings)
        var pins: [String: Set<String>] = [:]
        for (host, fingerprints) in settings.configuration.pinnedCertificates {
            pins[host.lowercased(), default: []].formUnion(fingerprints.map(canonical))
        }
        state = Locked(State(pins: pins))
    }

    /// Trusts a certificate; from then on, its host is accepted only with certificates trusted this way.
    func pin(_ certificate: ServerCertificate) {
        state.withLock { state in
            state.pins[certificate.host.lowercased(), default: []].insert(canonical(certificate.fingerprint))
            state.keys = [:]
        }
    }

    /// The object that decides about certificates that could not be verified.
    var decider: (any ServerTrustDeciding)? {
        get { state.withLock { $0.decider } }
        set { state.withLock { $0.decider = newValue } }
    }

    /// Returns whether the decider trusts a certificate, which is then pinned. Concurrent callers wait for one answer.
    ///
    /// - Throws: `CancellationError`.
    func accepts(_ certificate: ServerCertificate) async throws -> Bool {
        let (isPinned, decider, question, isFirst) = state.withLock { state in
            let pins = state.pins[certificate.host.lowercased()] ?? []
            let isPinned = pins.contains(canonical(certificate.fingerprint))
            let waiting = state.questions[certificate]
            let question = waiting ?? SharedResult<Bool>()
            if waiting == nil, !isPinned, state.decider != nil { state.questions[certificate] = question }
            return (isPinned, state.decider, question, waiting == nil)
        }
        // Trusted while this request was under way.
        if isPinned {
            question.finish(.success(true))
            return true
        }
        guard let decider else { return false }
        if isFirst {
            // In a separate task: the others wait for it too, even if the request that asked first is cancelled.
            Task {
                let isTrusted = await decider.shouldTrust(certificate)
                if isTrusted { pin(certificate) }
                state.withLock { $0.questions[certificate] = nil }
                question.finish(.success(isTrusted))
            }
        }
        return try await question.value()
    }

    /// Returns what connections to the URL's host are restricted to.
    func trust(for url: URL, of origin: Origin?, deadlines: HTTPDeadlines) async throws -> ServerTrust {
        guard let origin, origin.scheme == "https" else { return .authorities }
        let (pins, keys, isOutdated) = state.withLock { state in
            (state.pins[origin.host], state.keys[origin] ?? [], state.outdated.remove(origin) != nil)
        }
        guard let pins else { return .authorities }
        guard keys.isEmpty || isOutdated else { return .keys(keys) }
        var certificate = try await probe.certificate(of: url, within: deadlines.connect)
        if keys.contains(certificate.key) {
            // Several servers share the host's name, and they take turns.
            certificate = try await probe.certificate(of: url, within: deadlines.connect)
        }
        guard pins.contains(certificate.fingerprint) else {
            let error = urlError(url, code: .serverCertificateUntrusted, reason: "it is not the one that was trusted")
            throw error.carrying(certificate.described(host: origin.host, problem: .notPinned))
        }
        return state.withLock { [key = certificate.key] state in
            if state.keys[origin]?.contains(key) != true { state.keys[origin, default: []].append(key) }
            return .keys(state.keys[origin] ?? [key])
        }
    }

    /// Has the certificate of a pinned host that showed another key fetched again: the new one may be pinned as well.
    func lookAgain(at url: URL) {
        guard let origin = Origin(url) else { return }
        _ = state.withLock { $0.outdated.insert(origin) }
    }

    /// Returns the error with the certificate that caused it, for a user to inspect.
    func explained(
        _ error: any Error, _ problem: ServerCertificate.Problem, _ url: URL, deadlines: HTTPDeadlines
    ) async throws -> any Error {
        guard let error = error as? URLError, let origin = Origin(url) else { return error }
        do {
            let certificate = try await probe.certificate(of: url, within: deadlines.connect)
            return error.carrying(certificate.described(host: origin.host, problem: problem))
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            return error
        }
    }
}

/// Normalizes a fingerprint, which may be written with colons or in upper case.
private func canonical(_ fingerprint: String) -> String {
    fingerprint.lowercased().filter(\.isHexDigit)
}
