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
        // Writing a backend: a provider of a small REST API, and a server that speaks it.
        .target(name: "ShelfProvider", dependencies: [files("FileProviding"), files("HTTPFiles")]),
        .target(name: "ShelfServer", dependencies: [files("FileProviding"), fox, socks]),
        .executableTarget(
            name: "shelf-server", dependencies: ["ShelfServer", files("LocalFiles"), files("MemoryFiles")]),
        .testTarget(
            name: "ShelfProviderTests",
            dependencies: [
                "ShelfProvider", "ShelfServer", files("FileProviderTesting"), files("LocalFiles"), files("MemoryFiles"),
            ]),

        // Copying, and embedding.
        .executableTarget(name: "CopyBetweenProviders", dependencies: ["ShelfProvider", files("FileProviders")]),
        .executableTarget(name: "ListAnything", dependencies: [files("FileProviders")]),
    ],
    swiftLanguageModes: [.v6]
)
