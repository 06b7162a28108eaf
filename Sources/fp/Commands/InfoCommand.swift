import ArgumentParser
import FileProviders

/// `fp info`.
struct InfoCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Show what is written inside of files: camera, album, pages.",
        discussion: """
            Of local files: pictures, PDF and audio, where fp was built with the package trait Thumbnails, as
            Scripts/run does.

            Examples:
              fp info photos/a.jpg song.mp3
              fp info davs://anna@cloud.example/dav/photos/a.jpg
            """)

    @Argument(help: "Files on a storage that reads them.")
    var locations: [LocationArgument]

    @OptionGroup var access: AccessOptions

    func run(in invocation: Invocation) async throws {
        try await invocation.forEach(locations) { endpoint in
            if locations.count > 1 { try invocation.output.line("\(endpoint.location.description):") }
            let provider = try endpoint.capability(.thumbnails, as: (any ExtendedFileProvider).self)
            var table = TextTable([.left, .left])
            for property in try await provider.propertiesOfFile(path: endpoint.path).properties {
                table.add([ShownName.escaped(property.key), ShownName.escaped(property.value)])
            }
            try table.lines.forEach(invocation.output.line)
        }
    }
}
