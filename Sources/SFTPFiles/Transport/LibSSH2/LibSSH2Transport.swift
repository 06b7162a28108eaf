import CSSH2
import FileProviding
import Foundation

/// SSH within this process. libssh2 1.10 does not support RSA signatures with SHA-2, without which current servers
/// neither accept RSA keys nor present one, nor certificates, nor hardware keys: what fails for those reasons is a
/// ``LibSSH2Limit``.
struct LibSSH2Transport: SSHTransport {
    let configuration: SFTPConfiguration
    let password: String?
    let interaction: (any SSHInteraction)?

    /// The types of host keys that current servers present to libssh2.
    static let hostKeyKinds = ["ssh-ed25519", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521"]

    func connect(_ waker: Waker) throws -> any SSHChannel {
        let (ssh, url) = (configuration.ssh, configuration.url)
        let person = interaction.map { TimedInteraction($0) }
        let connecting = SocketConnection(
            url: url, waker: waker, timeout: .milliseconds(Int(ssh.connectTimeout * 1000)), person: person)
        let socket = try connecting.open(host: configuration.host, port: configuration.port ?? 22)
        return try ExitGate.inside { try logIn(LibSSH2Session(socket, connecting), person) }
    }

    private func logIn(
        _ session: LibSSH2Session, _ interaction: (any SSHInteraction)?
    ) throws -> any SSHChannel {
        let (ssh, url) = (configuration.ssh, configuration.url)
        let known = try KnownHosts(ssh.knownHosts)
        try shakeHands(session, known)
        try HostKeyCheck(known: known, url: url, interaction: interaction).admit(try hostKey(of: session))
        try Authentication(session, configuration, password: password, interaction: interaction).run()
        return try LibSSH2Channel(session)
    }

    private func shakeHands(_ session: LibSSH2Session, _ known: KnownHosts) throws {
        // The algorithms of the host's known keys come first, so that it presents a key that can be compared.
        let kinds = Self.hostKeyKinds
        let wanted = known.keys(of: configuration.hostLabel).map(\.algorithm)
        let ordered = kinds.filter(wanted.contains) + kinds.filter { !wanted.contains($0) } + ["ssh-rsa"]
        libssh2_session_method_pref(session.pointer, LIBSSH2_METHOD_HOSTKEY, ordered.joined(separator: ","))
        // libssh2's own order begins with AES-256; this one is OpenSSH's, and is ten percent faster. Nothing older than
        // AES.
        for direction in [LIBSSH2_METHOD_CRYPT_CS, LIBSSH2_METHOD_CRYPT_SC] {
            libssh2_session_method_pref(
                session.pointer, direction, "aes128-ctr,aes192-ctr,aes256-ctr,aes128-cbc,aes192-cbc,aes256-cbc")
        }
        // Without hardware support SHA-512 is faster than SHA-256, by a third.
        if !Processor.computesSHA256 {
            for direction in [LIBSSH2_METHOD_MAC_CS, LIBSSH2_METHOD_MAC_SC] {
                libssh2_session_method_pref(
                    session.pointer, direction,
                    "hmac-sha2-512,hmac-sha2-256,hmac-sha1,hmac-sha1-96,hmac-md5,hmac-md5-96")
            }
        }
        let result = try session.handshake()
        guard result == 0 else {
            let problem = session.problem
            let error = urlError(session.url, code: .secureConnectionFailed, reason: problem)
            switch result {
            // Some servers close the connection as soon as no algorithm matches (tinysshd), for which libssh2 has no
            // error code.
            case LIBSSH2_ERROR_KEX_FAILURE, LIBSSH2_ERROR_KEY_EXCHANGE_FAILURE, LIBSSH2_ERROR_METHOD_NONE,
                LIBSSH2_ERROR_HOSTKEY_INIT, LIBSSH2_ERROR_HOSTKEY_SIGN, LIBSSH2_ERROR_SOCKET_NONE:
                throw LibSSH2Limit(
                    "the server wants what libssh2 cannot do, such as an RSA host key or ChaCha20 (\(problem))", error)
            case LIBSSH2_ERROR_SOCKET_DISCONNECT, LIBSSH2_ERROR_SOCKET_RECV, LIBSSH2_ERROR_BANNER_RECV:
                let lost = urlError(
                    session.url, code: .networkConnectionLost, reason: "while connecting: \(problem)")
                throw session.isGreeted ? lost : lost.ungreeted()
            default: throw error
            }
        }
    }

    private func hostKey(of session: LibSSH2Session) throws -> SSHHostKey {
        var (length, type) = (0, Int32(0))
        guard let bytes = libssh2_session_hostkey(session.pointer, &length, &type) else {
            throw urlError(session.url, code: .secureConnectionFailed, reason: "the host shows no key")
        }
        let blob = bytes.withMemoryRebound(to: UInt8.self, capacity: length) {
            Array(UnsafeBufferPointer(start: $0, count: length))
        }
        return SSHHostKey(host: configuration.hostLabel, algorithm: SSHKeyBlob.algorithm(of: blob), blob: blob)
    }
}
