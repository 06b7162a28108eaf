// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let metrics = Target.Dependency.product(name: "Metrics", package: "swift-metrics")

let package = Package(
    name: "swift-file-providers",
    products: [
        .library(name: "FileProviding", targets: ["FileProviding"]),
        .library(name: "HTTPFiles", targets: ["HTTPFiles"]),
        .library(name: "WebDAVFiles", targets: ["WebDAVFiles"]),
        .library(name: "FileTransfer", targets: ["FileTransfer"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
    ],
    targets: [
        // The abstraction, and what is derived from it.
        .target(name: "FileProviding", dependencies: [crypto, logging], swiftSettings: strict),

        // Providers.
        .target(
            name: "HTTPFiles", dependencies: ["FileProviding", "CCurl", crypto, logging, metrics], swiftSettings: strict),
        .target(
            name: "WebDAVFiles", dependencies: ["FileProviding", "HTTPFiles", "CXML2", logging], swiftSettings: strict),

        // What is built on any provider.
        .target(name: "FileTransfer", dependencies: ["FileProviding", crypto, logging], swiftSettings: strict),

        // System libraries, and the few Linux calls that Swift cannot make.
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),

        .testTarget(
            name: "FileProvidingTests", dependencies: ["FileProviding"], path: "Tests/FileProvidingTests/Query",
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
