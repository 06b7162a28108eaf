import FileProviding
import Foundation
import Testing
import WebDAVFiles

/// Whether two providers of one server are of one account.
@Suite struct AccountIdentityTests {
    private func identity(_ credential: Credential?, user: String? = nil) throws -> ProviderIdentity {
        let url = try #require(URL(string: "https://host.example/dav/"))
        var configuration = WebDAVConfiguration(url: url)
        configuration.user = user
        return try WebDAVFileProvider(configuration: configuration, credential: credential).identity
    }

    @Test func tokensAreToldApartAndNotShown() throws {
        let (one, other) = (Credential.bearer(token: "token-of-anna"), Credential.bearer(token: "token-of-bert"))
        #expect(try identity(one).sharesStorage(with: identity(one)))
        #expect(try !identity(one).sharesStorage(with: identity(other)))
        #expect(try !identity(one).sharesStorage(with: identity(nil)))
        #expect(try !"\(identity(one))".contains("anna"))
        #expect(try identity(.password(user: "anna", password: "x")).account == "anna")
    }

    @Test func whoeverIsNamedHasTheTokens() throws {
        let (old, new) = (Credential.bearer(token: "before"), Credential.bearer(token: "after"))
        #expect(try identity(old, user: "anna").sharesStorage(with: identity(new, user: "anna")))
        #expect(try !identity(old, user: "anna").sharesStorage(with: identity(old, user: "bert")))
    }
}
