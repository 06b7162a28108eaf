import FileProviding
import Foundation

/// Decides whether a key presented by a host is its own.
struct HostKeyCheck {
    let known: KnownHosts
    let url: URL
    let interaction: (any SSHInteraction)?

    /// Throws unless the host is known by this key, or the user confirms it.
    func admit(_ key: SSHHostKey) throws {
        let shown = "\(key.algorithm) \(key.fingerprint)"
        switch known.verdict(on: key) {
        case .known: return
        case .unknown:
            guard let interaction, waitFor({ await interaction.shouldTrust(key) }) else {
                throw refusal("the host's key is not known: it shows \(shown)")
            }
            // If it cannot be added, the user is asked again the next time.
            try? known.add(key)
        case .changed(let keys):
            let expected = keys.map { "\($0.algorithm) \($0.fingerprint)" }.joined(separator: ", ")
            let comparable = LibSSH2Transport.hostKeyKinds + [key.algorithm]
            guard keys.contains(where: { comparable.contains($0.algorithm) }) else {
                let reason = "libssh2 cannot ask for the host's key that is known, \(expected)"
                throw LibSSH2Limit(reason, refusal("\(reason); it shows \(shown)"))
            }
            throw refusal(
                "the host's key has changed: it shows \(shown), known is \(expected); someone may be listening in")
        case .revoked: throw refusal("the host's key is revoked: it shows \(shown)")
        case .authorityOnly:
            let reason = "the host is known by an authority (@cert-authority), which libssh2 cannot check"
            throw LibSSH2Limit(reason, refusal("\(reason); it shows \(shown)"))
        }
    }

    private func refusal(_ reason: String) -> URLError {
        .untrustedHost(url, reason)
    }
}

/// Blocks the current thread until a task has answered.
func waitFor<Value: Sendable>(_ question: @escaping @Sendable () async -> Value) -> Value {
    let condition = NSCondition()
    let answer = Locked<Value?>(nil)
    Task {
        let value = await question()
        condition.withLock {
            answer.withLock { $0 = value }
            condition.signal()
        }
    }
    return condition.withLock {
        while true {
            if let value = answer.withLock({ $0 }) { return value }
            condition.wait()
        }
    }
}
