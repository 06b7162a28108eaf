import FileProviding
import Foundation

/// The exchange of a refresh token for the next access token (RFC 6749, section 6).
struct TokenRenewal {
    let token: OAuth2Token
    let now: Date

    /// Returns the request to the token endpoint.
    ///
    /// - Throws: `URLError(.appTransportSecurityRequiresSecureConnection)` for an endpoint whose traffic others could
    ///   intercept.
    func request() throws -> HTTPRequest {
        guard let endpoint = token.tokenEndpoint, let refreshToken = token.refreshToken else {
            throw tokenRefused(token.tokenEndpoint)
        }
        guard Origin(endpoint)?.isPrivate == true else {
            throw urlError(
                endpoint, code: .appTransportSecurityRequiresSecureConnection,
                reason: "tokens are renewed over HTTPS only")
        }
        var fields = [("grant_type", "refresh_token"), ("refresh_token", refreshToken)]
        var headers: HTTPHeaders = ["Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"]
        if let clientID = token.clientID, let secret = token.clientSecret {
            let pair = Data("\(formEncoded(clientID)):\(formEncoded(secret))".utf8)
            headers["Authorization"] = "Basic " + pair.base64EncodedString()
        } else if let clientID = token.clientID {
            fields.append(("client_id", clientID))
        }
        let form = fields.map { "\($0)=\(formEncoded($1))" }.joined(separator: "&")
        var request = HTTPRequest(.post, endpoint, headers: headers, body: .bytes(Data(form.utf8)))
        request.sendsCredential = false
        request.limits = HTTPLimits(bodyBytes: 1 << 20, redirects: 0)
        return request
    }

    /// Returns the token that the endpoint granted.
    ///
    /// - Throws: `URLError(.userAuthenticationRequired)` when the endpoint reports that the grant has ended; any other
    ///   refusal leaves the credential as it is.
    func successor(_ response: HTTPResponse, _ body: Data) throws -> OAuth2Token {
        guard response.status == 200 else {
            if response.status == 400, let refusal = try? JSONDecoder().decode(Refusal.self, from: body),
                refusal.error == "invalid_grant"
            {
                throw tokenRefused(response.url)
            }
            throw urlError(
                response.url, code: .badServerResponse, reason: "renewing the token: status \(response.status)")
        }
        guard let grant = try? JSONDecoder().decode(Grant.self, from: body) else {
            throw urlError(response.url, code: .cannotParseResponse, reason: "renewing the token")
        }
        var next = token
        next.accessToken = grant.access_token
        next.refreshToken = grant.refresh_token ?? token.refreshToken
        next.expiry = grant.expires_in.map { now + $0 }
        return next
    }

    // Property names as in the protocol.
    private struct Grant: Decodable {
        var access_token: String
        var refresh_token: String?
        var expires_in: Double?
    }

    private struct Refusal: Decodable { var error: String }

    private func formEncoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? ""
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
