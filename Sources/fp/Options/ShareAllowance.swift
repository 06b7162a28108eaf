import ArgumentParser
import FileProviders

/// The rights of a recipient: words separated by commas.
struct ShareAllowance: ExpressibleByArgument {
    static let help = ArgumentHelp(
        "What is allowed: read, update, create, delete, share, with commas between.", valueName: "list")
    private static let words: [(String, SharePermissions)] = [
        ("read", .read), ("update", .update), ("create", .create), ("delete", .delete), ("share", .share),
    ]

    let permissions: SharePermissions

    init(permissions: SharePermissions) { self.permissions = permissions }

    init?(argument: String) {
        var all: SharePermissions = []
        for word in argument.split(separator: ",") {
            guard let known = Self.words.first(where: { $0.0 == word }) else { return nil }
            all.insert(known.1)
        }
        guard !all.isEmpty else { return nil }
        permissions = all
    }

    /// The words again.
    var text: String { Self.words.filter { permissions.contains($0.1) }.map(\.0).joined(separator: ",") }
}
