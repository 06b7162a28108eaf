// swift-tools-version: 6.2
import PackageDescription

func files(_ name: String) -> Target.Dependency { .product(name: name, package: "swift-file-providers") }

let fox = Target.Dependency.product(name: "FlyingFox", package: "FlyingFox")
let socks = Target.Dependency.product(name: "FlyingSocks", package: "FlyingFox")

let package = Package(
    name: "Examples",
    dependencies: [
        .package(name: "swift-file-providers", path: ".."),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        // Writing a backend: a provider of a small REST API, and a server for it.
        .target(
            name: "ShelfProvider", dependencies: [files("FileProviding"), files("HTTPFiles")],
            path: "CustomProvider/ShelfProvider"),
        .target(
            name: "ShelfServer", dependencies: [files("FileProviding"), files("HTTPFiles"), fox, socks],
            path: "CustomProvider/ShelfServer"),
        .executableTarget(
            name: "shelf-server", dependencies: ["ShelfServer", files("LocalFiles"), files("MemoryFiles")],
            path: "CustomProvider/shelf-server"),
        .testTarget(
            name: "ShelfProviderTests",
            dependencies: [
                "ShelfProvider", "ShelfServer", files("HTTPFiles"), files("FileProviderTesting"), files("LocalFiles"),
                files("MemoryFiles"),
            ],
            path: "CustomProvider/Tests"),

        // Copying, and embedding.
        .executableTarget(
            name: "CopyBetweenProviders", dependencies: ["ShelfProvider", files("FileProviders")],
            path: "CopyBetweenProviders"),
        // A vault within an app.
        .target(name: "Notes", dependencies: [files("FileProviding"), files("CloudCore")], path: "OfflineNotes/Notes"),
        .executableTarget(
            name: "offline-notes",
            dependencies: ["Notes", files("FileProviders"), files("CloudCore"), files("ProviderAdapter")],
            path: "OfflineNotes/offline-notes"),
        .testTarget(
            name: "NotesTests",
            dependencies: [
                "Notes", files("FileProviding"), files("CloudCore"), files("ProviderAdapter"), files("MemoryFiles"),
            ],
            path: "OfflineNotes/Tests"),
        .executableTarget(name: "ListAnything", dependencies: [files("FileProviders")], path: "ListAnything"),
    ],
    swiftLanguageModes: [.v6]
)
