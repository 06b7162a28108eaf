import ArgumentParser
import FileProviders

/// `fp thumb`.
struct ThumbnailCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "thumb",
        abstract: "Write a small picture of a file's contents to standard output.",
        discussion: """
            Of local files: JPEG, PNG, WebP, HEIF, GIF, TIFF, SVG and PDF, where fp was built with the package trait
            Thumbnails, as Scripts/run does. The picture is JPEG, or PNG where it has transparency.

            Examples:
              fp thumb --size 512 scan.pdf > scan.png
              fp thumb --size 256 davs://anna@cloud.example/dav/photos/a.jpg > a-small.jpg
            """)

    @Argument(help: "A file on a storage that makes thumbnails.")
    var location: LocationArgument

    @Option(help: ArgumentHelp("The longest edge in pixels.", valueName: "pixels"))
    var size: Int?

    @OptionGroup var access: AccessOptions

    func run(in invocation: Invocation) async throws {
        try await invocation.with(location) { endpoint in
            let provider = try endpoint.capability(.thumbnails, as: (any ExtendedFileProvider).self)
            if invocation.output.isTerminal {
                throw Refusal(
                    endpoint.location.description, "a picture is nothing for a terminal", remedy: "redirect it: > FILE",
                    isAboutAccess: false)
            }
            let dimension = size.map { PixelSize(width: $0, height: $0) }
            let thumbnail = try await provider.thumbnailOfFile(path: endpoint.path, dimension: dimension)
            try invocation.output.write(thumbnail.data)
        }
    }
}
