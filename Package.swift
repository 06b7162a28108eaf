// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let database = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let metrics = Target.Dependency.product(name: "Metrics", package: "swift-metrics")
let metricsTestKit = Target.Dependency.product(name: "MetricsTestKit", package: "swift-metrics")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
    name: "swift-file-providers",
    products: [
        .library(name: "FileProviders", targets: ["FileProviders"]),
        .library(name: "FileProviding", targets: ["FileProviding"]),
        .library(name: "LocalFiles", targets: ["LocalFiles"]),
        .library(name: "HTTPFiles", targets: ["HTTPFiles"]),
        .library(name: "WebDAVFiles", targets: ["WebDAVFiles"]),
        .library(name: "GalleryFiles", targets: ["GalleryFiles"]),
        .library(name: "SFTPFiles", targets: ["SFTPFiles"]),
        .library(name: "MemoryFiles", targets: ["MemoryFiles"]),
        .library(name: "FileTransfer", targets: ["FileTransfer"]),
        .library(name: "CloudCore", targets: ["CloudCore"]),
        .library(name: "ProviderAdapter", targets: ["ProviderAdapter"]),
        .library(name: "FileProviderTesting", targets: ["FileProviderTesting"]),
        .executable(name: "fp", targets: ["fp"]),
    ],
    traits: [
        .trait(name: "Thumbnails", description: "Thumbnails and properties of local files, by libvips and TagLib."),
        .trait(name: "SecretService", description: "Secrets in the desktop's keyring, by libsecret."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
    ],
    targets: [
        // The abstraction, and what is derived from it.
        .target(
            name: "FileProviding",
            dependencies: [
                "CPlatform", .target(name: "CSecretService", condition: .when(traits: ["SecretService"])), crypto,
                logging,
            ],
            swiftSettings: strict),

        // Providers.
        .target(
            name: "LocalFiles",
            dependencies: [
                "FileProviding", "CPlatform", .target(name: "CThumbnails", condition: .when(traits: ["Thumbnails"])),
            ],
            swiftSettings: strict),
        .target(name: "MemoryFiles", dependencies: ["FileProviding"], swiftSettings: strict),
        .target(
            name: "HTTPFiles", dependencies: ["FileProviding", "CCurl", crypto, logging, metrics], swiftSettings: strict
        ),
        .target(
            name: "WebDAVFiles", dependencies: ["FileProviding", "HTTPFiles", "CXML2"], swiftSettings: strict),
        .target(name: "GalleryFiles", dependencies: ["FileProviding", "HTTPFiles"], swiftSettings: strict),
        .target(
            name: "SFTPFiles", dependencies: ["FileProviding", "CSSH2", "CPlatform", crypto, logging],
            swiftSettings: strict),

        // What is built on any provider.
        .target(name: "FileTransfer", dependencies: ["FileProviding", crypto], swiftSettings: strict),
        .target(name: "CloudCore", dependencies: ["FileProviding", database, sqlite, logging], swiftSettings: strict),
        .target(name: "ProviderAdapter", dependencies: ["FileProviding", "CloudCore"], swiftSettings: strict),
        .target(
            name: "FileProviders",
            dependencies: [
                "FileProviding", "LocalFiles", "MemoryFiles", "HTTPFiles", "WebDAVFiles", "SFTPFiles", "GalleryFiles",
                "FileTransfer",
            ],
            swiftSettings: strict),
        .target(name: "FileProviderTesting", dependencies: ["FileProviding"], swiftSettings: strict),
        .executableTarget(
            name: "fp", dependencies: ["FileProviders", "CloudCore", "ProviderAdapter", arguments, crypto, logging],
            swiftSettings: strict),

        // System libraries, and the few Linux calls that Swift cannot make.
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        .systemLibrary(name: "CSSH2", pkgConfig: "libssh2", providers: [.apt(["libssh2-1-dev"])]),
        .target(name: "CPlatform"),

        // Pictures and audio tags, with the trait Thumbnails; empty without it. libvips and TagLib are loaded when they are
        // first needed.
        .target(name: "CThumbnails", cSettings: [.define("FP_THUMBNAILS", .when(traits: ["Thumbnails"]))]),

        // A desktop's keyring, with the trait SecretService; empty without it. libsecret is loaded when it is first needed.
        .target(
            name: "CSecretService", cSettings: [.define("FP_SECRET_SERVICE", .when(traits: ["SecretService"]))]),

        // Tests. Those of providers run against real servers; see Scripts/test.
        .target(
            name: "TestSupport", dependencies: ["FileProviding", "CPlatform"], path: "Tests/Support",
            swiftSettings: strict),
        .testTarget(
            name: "FileProvidingTests",
            dependencies: ["FileProviding", "MemoryFiles", "FileProviderTesting", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "LocalFilesTests", dependencies: ["LocalFiles", "FileProviderTesting", "TestSupport"],
            exclude: ["Information/Fixtures"], swiftSettings: strict),
        .testTarget(
            name: "MemoryFilesTests", dependencies: ["MemoryFiles", "FileProviderTesting"], swiftSettings: strict),
        .testTarget(
            name: "HTTPFilesTests",
            dependencies: [
                "FileProviding", "HTTPFiles", "FileProviderTesting", "TestSupport", logging, metrics, metricsTestKit,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "WebDAVFilesTests", dependencies: ["WebDAVFiles", "FileProviderTesting", "TestSupport"],
            exclude: ["Multistatus/Fixtures", "Cloud/Recordings", "Cloud/Pictures"], swiftSettings: strict),
        .target(
            name: "GalleryServer", dependencies: ["FileProviding", "FileProviderTesting"],
            path: "Tests/Servers/GalleryServer", swiftSettings: strict),
        .testTarget(
            name: "GalleryFilesTests", dependencies: ["GalleryFiles", "GalleryServer", "FileProviderTesting"],
            swiftSettings: strict),
        .testTarget(
            name: "SFTPFilesTests", dependencies: ["SFTPFiles", "FileProviding", "FileProviderTesting", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "ContractTests",
            dependencies: ["FileProviders", "FileProviderTesting", "GalleryServer", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "FileTransferTests",
            dependencies: ["FileProviders", "FileTransfer", "FileProviderTesting", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "CloudCoreTests",
            dependencies: [
                "FileProviding", "MemoryFiles", "CloudCore", "ProviderAdapter", "FileProviderTesting", "TestSupport",
                database,
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "SyncVictim",
            dependencies: ["FileProviders", "CloudCore", "ProviderAdapter", "TestSupport"],
            path: "Tests/Servers/SyncVictim", swiftSettings: strict),
        .testTarget(
            name: "ProviderAdapterTests",
            dependencies: [
                "FileProviders", "CloudCore", "ProviderAdapter", "FileProviderTesting", "SyncVictim", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "fpTests",
            dependencies: ["fp", "FileProviders", "FileProviderTesting", "GalleryServer", "TestSupport"],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
