import FileProviders
import Foundation

/// What the user can do about an error, if that is not obvious from the error.
enum Remedy {
    /// The ways to give secrets, for a user who could not be asked on a terminal.
    static let secrets =
        "give --password-file FILE, --token-file FILE, FP_PASSWORD, FP_TOKEN, ~/.netrc or a saved remote"

    /// The ways to give the secret of a copy's other location.
    static let otherSecrets =
        "give --dest-password-file FILE, --dest-token-file FILE, ~/.netrc or a saved remote: the other secret is for the "
        + "first location"

    /// The ways to give the secret of a further location to a command that has no options for it.
    static let furtherSecrets = "give ~/.netrc or a saved remote: the other secret is for the first location"

    /// The way to give the secret of a saved remote that is not the first location.
    static let savedSecret = "`fp remote add --replace` saves one"

    /// Returns the way to give the user of a password.
    static func user(of origin: Origin) -> String {
        guard origin.entry == nil, let host = origin.place.firstRange(of: "://")?.upperBound else {
            return "`fp remote add --replace` takes a URL with a user"
        }
        return "write the user into the URL: \(origin.place[..<host])USER@\(origin.place[host...])"
    }

    /// Returns a phrase for the end of an error's line.
    static func remedy(for error: any Error) -> String? {
        if let error = error as? URLError { return remedy(for: error) }
        guard let error = error as? CocoaError else { return nil }
        switch error.transferRefusal {
        case .directory: return "-r copies it"
        case .otherFile: return "--overwrite replaces it"
        case .deletions: return "--max-delete allows more"
        case nil: return error.code == .fileLocking ? "try again later" : nil
        }
    }

    private static func remedy(for error: URLError) -> String? {
        if let certificate = error.serverCertificate {
            return "it is \(certificate.text); trust it with "
                + "--pin SHA256:\(certificate.fingerprint) or its signer with --cacert FILE"
        }
        if error.failingURL?.scheme == "sftp" {
            switch error.code {
            case .userAuthenticationRequired:
                return "give --password-file FILE, FP_PASSWORD, ~/.netrc, --identity FILE or an agent"
            case .serverCertificateUntrusted:
                return "at a terminal fp asks about unknown hosts; else give --known-hosts FILE"
            default: break
            }
        }
        if (error.userInfo[NSUnderlyingErrorKey] as? CocoaError)?.isNoSuchFile == true {
            return "`fp mkdir -p` makes it, unless something is to be mounted there"
        }
        return switch error.code {
        case .userAuthenticationRequired: secrets
        case .serverCertificateUntrusted, .serverCertificateHasUnknownRoot: "--cacert FILE names the signer to trust"
        case .timedOut: "--timeout SECONDS waits longer"
        case .cannotFindHost: "check the name and the network"
        case .cannotConnectToHost: "check that the server runs and the port is right"
        default: nil
        }
    }
}
