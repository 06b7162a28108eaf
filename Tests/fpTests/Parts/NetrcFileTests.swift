import Testing

@testable import fp

@Suite struct NetrcFileTests {
    private let file = NetrcFile(
        parsing: """
            # machine commented login no password no
            machine a.example login anna password "with space\\" and \\\\"
            machine b.example
              login bob
              account ignored
              password secret#1
            macdef init
            machine trap.example login x password y

            machine a.example login other password second
            machine c.example password only
            default login guest password anything
            """)

    @Test(
        arguments: [
            ("a.example", nil, "anna", "with space\" and \\"), ("A.Example", "other", "other", "second"),
            ("b.example", nil, "bob", "secret#1"), ("c.example", "carl", "carl", "only"),
            ("elsewhere.example", nil, "guest", "anything"), ("commented", nil, "guest", "anything"),
            ("trap.example", nil, "guest", "anything"),
        ] as [(String, String?, String, String)])
    func finds(host: String, user: String?, expectedUser: String, password: String) throws {
        let login = try #require(file.login(host: host, user: user))
        #expect(login.user == expectedUser)
        #expect(login.password == password)
    }

    @Test func anotherUserHasNone() {
        #expect(NetrcFile(parsing: "machine a login b password c").login(host: "a", user: "z") == nil)
        #expect(NetrcFile(parsing: "").login(host: "a", user: nil) == nil)
        #expect(NetrcFile(parsing: "machine a password c").login(host: "a", user: nil) == nil)
    }
}
