import Foundation

/// Conversions between paths and URLs: the one place that joins and splits them.
enum ProviderURL {
    static func url(of path: ItemPath, base: URL?) -> URL {
        let encoded = path.percentEncoded
        guard let base else {
            return URL(string: encoded.isEmpty ? "." : encoded) ?? URL(string: ".")!
        }
        var text = base.absoluteString
        if !text.hasSuffix("/") { text += "/" }
        text += encoded
        if path.namesDirectory, !text.hasSuffix("/") { text += "/" }
        return URL(string: text) ?? base
    }

    static func path(of url: URL, base: URL?) -> ItemPath? {
        guard let base else {
            guard url.scheme == nil else { return nil }
            return try? ItemPath(percentEncoded: url.relativeString)
        }
        let whole = url.absoluteURL
        guard whole.scheme?.lowercased() == base.scheme?.lowercased(),
            whole.host()?.lowercased() == base.host()?.lowercased(), effectivePort(whole) == effectivePort(base),
            let target = try? ItemPath(percentEncoded: whole.path(percentEncoded: true)),
            let root = try? ItemPath(percentEncoded: base.path(percentEncoded: true))
        else { return nil }
        return target.relative(to: root)
    }

    private static func effectivePort(_ url: URL) -> Int? {
        url.port ?? ["http": 80, "https": 443, "sftp": 22][url.scheme?.lowercased() ?? ""]
    }
}
