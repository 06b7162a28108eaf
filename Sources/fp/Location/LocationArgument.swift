import ArgumentParser

/// A location as the user wrote it, before anything is known about schemes and saved remotes.
struct LocationArgument: ExpressibleByArgument, Sendable {
    /// The bytes of the argument.
    let bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    init(argument: String) { bytes = ArgumentText.decode(argument) }

    var defaultValueDescription: String { String(decoding: bytes, as: UTF8.self) }

    static let defaultCompletionKind = CompletionKind.file()

    /// The working directory.
    static let here = LocationArgument(argument: ".")
}
