import FileProviding
import Foundation
import Testing

@testable import WebDAVFiles

@Suite struct HostileDocumentTests {
    /// The text of the error that a document gives, in one piece and byte by byte.
    private func refusal(_ document: Data, limits: MultistatusLimits = MultistatusLimits()) throws -> String {
        var texts: Set<String> = []
        for pieces in [1, 977, Int.max] where pieces > 1 || document.count < 20_000 {
            let error = #expect(throws: URLError.self) { try responses(document, pieces: pieces, limits: limits) }
            #expect(error?.code == .cannotParseResponse)
            texts.insert(try #require(error).localizedDescription)
        }
        #expect(texts.count == 1, "\(texts)")
        let text = try #require(texts.first)
        #expect(text.hasPrefix("http://dav.example/dir/: "))
        #expect(!text.contains("secret") && !text.contains("key=1") && !text.contains("\n"))
        return text
    }

    private func refusal(_ document: String) throws -> String { try refusal(Data(document.utf8)) }

    @Test(arguments: [
        "<!DOCTYPE html><html><head><title>Sign in</title></head><body><form><input></form></body></html>",
        "<!doctype html>\n<html lang=en><meta charset=utf-8><p>Log in<br></html>", "<html><body>Log in</body></html>",
        "  \n<HTML><body bgcolor=white>Log in</body></HTML>",
        """
        <?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1.dtd">
        <html xmlns="http://www.w3.org/1999/xhtml"/>
        """,
        "<?xml version='1.0'?><!-- login --><html xmlns='http://www.w3.org/1999/xhtml'><body/></html>",
    ])
    func loginPage(page: String) throws {
        #expect(try refusal(page).contains("HTML instead of a multistatus: is this a login page?"))
    }

    @Test func apachesErrorPage() throws {
        #expect(try refusal(Fixture.body("apache-missing-page.xml")).contains("is this a login page?"))
    }

    @Test(arguments: [
        ("{\"error\": 1}", "not XML"), ("Locked", "not XML"), ("", "empty"), (" \n\n", "empty"),
        ("<error xmlns='DAV:'/>", "<error> instead of <multistatus>"),
        ("<multistatus/>", "<multistatus> instead of <multistatus> in DAV:"),
        ("<multistatus xmlns='DAV'/>", "<multistatus> instead of <multistatus> in DAV:"),
        ("<prop xmlns='DAV:'/>", "<prop> instead of <multistatus>"),
        ("<multistatus xmlns='DAV:'><response></multistatus>", "line 1"),
        ("<multistatus xmlns='DAV:'>&nope;</multistatus>", "Entity 'nope' not defined"),
        ("<multistatus xmlns='DAV:'><response a=1/></multistatus>", "malformed"),
        ("<multistatus xmlns='DAV:'>", "ends in the middle"),
        ("<multistatus xmlns='DAV:'><response><href>/a</hre", "ends in the middle"),
        ("<multistatus xmlns='DAV:'><response><href>/a</href></response>", "ends in the middle"),
        ("<?xml version='1.0'?>", "ends in the middle"),
    ])
    func notAMultistatus(document: String, reason: String) throws {
        let text = try refusal(document)
        #expect(text.contains(reason), "\(text)")
    }

    @Test func billionLaughs() throws {
        var document = "<?xml version='1.0'?><!DOCTYPE multistatus [<!ENTITY a0 'ha'>"
        for level in 1...9 {
            document += "<!ENTITY a\(level) '\(String(repeating: "&a\(level - 1);", count: 10))'>"
        }
        document += "]><multistatus xmlns='DAV:'><response><href>&a9;</href></response></multistatus>"
        #expect(try refusal(document).contains("entities"))
    }

    @Test(arguments: [
        "<!DOCTYPE m [<!ENTITY x SYSTEM 'file:///etc/hostname'>]><multistatus xmlns='DAV:'>&x;</multistatus>",
        "<!DOCTYPE m SYSTEM 'http://127.0.0.1:1/x.dtd'><multistatus xmlns='DAV:'/>",
        "<!DOCTYPE m [<!ENTITY % p SYSTEM 'file:///etc/passwd'> %p;]><multistatus xmlns='DAV:'/>",
        "<!DOCTYPE multistatus><multistatus xmlns='DAV:'/>",
    ])
    func documentTypes(document: String) throws {
        #expect(try refusal(document).contains("entities"))
    }

    @Test func deepNesting() throws {
        let inside = String(repeating: "<x>", count: 100_000)
        let document = Data("<multistatus xmlns='DAV:'>\(inside)".utf8)
        #expect(try refusal(document).contains("nested more than 64 deep"))
        let allowed = String(repeating: "<x>", count: 63) + String(repeating: "</x>", count: 63)
        #expect(try responses("<multistatus xmlns='DAV:'>\(allowed)</multistatus>").isEmpty)
    }

    @Test(arguments: ["href", "propstat><prop><getetag", "propstat><status", "responsedescription"])
    func longText(element: String) throws {
        let text = String(repeating: "x", count: 70_000)
        let document = Data("<multistatus xmlns='DAV:'><response><\(element)>\(text)</x>".utf8)
        #expect(try refusal(document).contains("text is longer than 65536 bytes"))
    }

    @Test(arguments: [
        "<response a='", "<response><!--", "<response><?p ", "<response><", "<response xmlns:",
        "<response><a></a><![CDATA[",
        "<!-- ",
    ])
    func endlessToken(start: String) throws {
        var limits = MultistatusLimits()
        limits.responseLength = 300_000
        let prefix = start == "<!-- " ? start : "<multistatus xmlns='DAV:'>\(start)"
        let document = Data(prefix.utf8) + Data(repeating: UInt8(ascii: "x"), count: 3_000_000)
        let text = try refusal(document, limits: limits)
        #expect(text.contains("longer than 300000 bytes") || text.contains("malformed"), "\(text)")
    }

    @Test func endlessResponse() throws {
        var limits = MultistatusLimits()
        limits.responseLength = 100_000
        let body = String(repeating: "<propstat><prop><getetag>x</getetag></prop></propstat>", count: 10_000)
        let document = Data("<multistatus xmlns='DAV:'><response><href>/a</href>\(body)".utf8)
        #expect(try refusal(document, limits: limits).contains("one response is longer than 100000 bytes"))
    }

    @Test func endlessNames() throws {
        let names = (0..<20_000).map { "<n\($0)/>" }.joined()
        let document = Data("<multistatus xmlns='DAV:'>\(names)</multistatus>".utf8)
        #expect(try refusal(document).contains("more than 10000 different names"))
    }

    @Test func completeResponsesSurviveALaterFailure() throws {
        let parser = MultistatusParser()
        let document = "<multistatus xmlns='DAV:'><response><href>/1</href></response></wrong>"
        #expect(throws: URLError.self) { try parser.consume(Data(document.utf8)) }
        #expect(parser.takeResponses().map(\.reference) == ["/1"])
        #expect(throws: URLError.self) { try parser.consume(Data("<more/>".utf8)) }
        #expect(throws: URLError.self) { try parser.finish() }
    }

    // MARK: What real servers get wrong

    @Test func blankLineBeforeTheDeclaration() throws {
        #expect(try responses("\n\n" + multistatus("<D:href>/a</D:href>")).map(\.reference) == ["/a"])
    }

    @Test func badCharactersOutsideReferences() throws {
        var document = Data("<D:multistatus xmlns:D='DAV:'><D:response><D:href>/%01</D:href><D:propstat><D:prop>".utf8)
        document += Data("<D:displayname>ctrl\u{1}.txt</D:displayname><D:getcontenttype>caf".utf8) + [0xE9]
        document += Data("</D:getcontenttype></D:prop></D:propstat></D:response>".utf8)
        document += Data("<D:response><D:href>/é&amp;日</D:href></D:response></D:multistatus>".utf8)
        for pieces in [1, 2, 5, .max] {
            let all = try responses(document, pieces: pieces)
            #expect(all.map(\.reference) == ["/%01", "/é&日"])
        }
    }

    @Test(arguments: [[UInt8]([0x01]), [0xE9], [0xC3], [0xED, 0xA0, 0x80], [0x00]])
    func badCharactersInReferences(bytes: [UInt8]) throws {
        let document =
            Data("<multistatus xmlns='DAV:'><response><href>/a".utf8) + bytes
            + Data("b</href></response></multistatus>".utf8)
        #expect(try refusal(document).contains("malformed"))
    }
}
