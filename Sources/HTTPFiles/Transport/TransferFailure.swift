import CCurl
import FileProviding
import Foundation

/// The reason why a transfer gave no reply, or only part of one.
struct TransferFailure: Error {
    /// How far the transfer got.
    enum Stage {
        /// The request was never sent: sending it again cannot do anything twice.
        case notSent
        /// It was sent, or may have been, and nothing came back.
        case unanswered
        /// Part of the reply came back.
        case interrupted
    }

    /// The error that the caller receives.
    var error: any Error
    var stage: Stage
    /// Whether another attempt may succeed.
    var isTransient = false
    /// What was wrong with the server's certificate, if that was the reason.
    var certificateProblem: ServerCertificate.Problem?
}

extension TransferFailure {
    /// Creates a failure: the one place where libcurl's codes become errors.
    ///
    /// - Parameters:
    ///   - text: libcurl's own message.
    ///   - verification: OpenSSL's verdict about the certificate, 0 if it has none.
    ///   - systemError: the `errno` of a failed connection, or 0.
    ///   - configuration: the session's.
    init(
        _ code: CURLcode, url: URL, stage: Stage, text: String?, verification: Int, systemError: Int32,
        configuration: HTTPSessionConfiguration
    ) {
        let system = systemError == 0 ? nil : String(cString: strerror(systemError))
        // libcurl names the host that it could not connect to.
        let isAboutProxy = configuration.proxy != nil && text?.contains("\(url.host() ?? "") port") != true
        func failure(
            _ urlCode: URLError.Code, _ reason: String? = nil, transient: Bool = false,
            certificate: ServerCertificate.Problem? = nil
        ) -> TransferFailure {
            TransferFailure(
                error: urlError(url, code: urlCode, reason: reason), stage: stage, isTransient: transient,
                certificateProblem: certificate)
        }
        self =
            switch code {
            case CURLE_URL_MALFORMAT: failure(.badURL)
            case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY: failure(.badServerResponse, text)
            case CURLE_COULDNT_RESOLVE_HOST: failure(.cannotFindHost)
            case CURLE_COULDNT_RESOLVE_PROXY: failure(.cannotFindHost, "the proxy's name is unknown")
            case CURLE_COULDNT_CONNECT:
                failure(
                    .cannotConnectToHost, (isAboutProxy ? "the proxy: " : "") + (system ?? text ?? ""), transient: true)
            case CURLE_PROXY: failure(.cannotConnectToHost, text)
            case CURLE_OPERATION_TIMEDOUT: failure(.timedOut, text, transient: true)
            case CURLE_SSL_CONNECT_ERROR where Self.endedEarly(text):
                failure(.networkConnectionLost, "in the TLS handshake", transient: true)
            case CURLE_SSL_CONNECT_ERROR: failure(.secureConnectionFailed, text)
            case CURLE_SSL_CERTPROBLEM: failure(.clientCertificateRejected, text)
            case CURLE_SSL_CACERT_BADFILE:
                failure(
                    .secureConnectionFailed,
                    "no CA certificates (PEM) can be read from "
                        + (configuration.certificateAuthorities?.description ?? "the system"))
            case CURLE_PEER_FAILED_VERIFICATION:
                switch verification {
                case 9: failure(.serverCertificateNotYetValid, certificate: .notYetValid)
                case 10: failure(.serverCertificateHasBadDate, certificate: .expired)
                case 18, 19, 20, 21: failure(.serverCertificateUntrusted, text, certificate: .unknownIssuer)
                // A name that does not match is found before OpenSSL's verification; 1 is libcurl's initial value.
                case 0, 1, 62: failure(.secureConnectionFailed, text, certificate: .otherHost)
                default: failure(.serverCertificateUntrusted, text, certificate: .other)
                }
            case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
                failure(.serverCertificateUntrusted, "it is not the one that was trusted", certificate: .notPinned)
            case CURLE_GOT_NOTHING:
                failure(.networkConnectionLost, "the server closed it without a reply", transient: true)
            case CURLE_PARTIAL_FILE: failure(.networkConnectionLost, "before the end of the reply", transient: true)
            case CURLE_SEND_FAIL_REWIND: failure(.networkConnectionLost, "while sending", transient: true)
            case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
                failure(.networkConnectionLost, system ?? text, transient: true)
            // By this program, because sending the request over another connection could do its work twice.
            case CURLE_ABORTED_BY_CALLBACK: failure(.networkConnectionLost, "the server closed it", transient: true)
            case CURLE_BAD_CONTENT_ENCODING: failure(.cannotDecodeContentData, text)
            default: failure(.unknown, text ?? String(cString: curl_easy_strerror(code)))
            }
    }

    /// Returns whether a handshake was cut off rather than failed, for which libcurl has the same code; the message is
    /// OpenSSL's.
    private static func endedEarly(_ text: String?) -> Bool {
        ["SSL_ERROR_SYSCALL", "unexpected eof", "Connection reset"].contains { text?.contains($0) == true }
    }
}
