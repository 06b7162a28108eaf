// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Benchmarks",
    dependencies: [
        .package(name: "swift-file-providers", path: ".."),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .executableTarget(
            name: "DecodePages",
            dependencies: [
                .product(name: "FileProviding", package: "swift-file-providers"),
                .product(name: "HTTPFiles", package: "swift-file-providers"),
                .product(name: "WebDAVFiles", package: "swift-file-providers"),
            ],
            path: "WebDAVFiles/DecodePages", swiftSettings: [.treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "DecodeImages",
            dependencies: [
                .product(name: "FileProviding", package: "swift-file-providers"),
                .product(name: "HTTPFiles", package: "swift-file-providers"),
                .product(name: "GalleryFiles", package: "swift-file-providers"),
            ],
            path: "GalleryFiles/DecodeImages", swiftSettings: [.treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "VaultTimes",
            dependencies: [
                .product(name: "FileProviding", package: "swift-file-providers"),
                .product(name: "CloudCore", package: "swift-file-providers"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "CloudCore/VaultTimes", swiftSettings: [.treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "CommandTimes",
            dependencies: [
                .product(name: "FileProviding", package: "swift-file-providers"),
                .product(name: "LocalFiles", package: "swift-file-providers"),
                .product(name: "WebDAVFiles", package: "swift-file-providers"),
                .product(name: "FileTransfer", package: "swift-file-providers"),
                .product(name: "CloudCore", package: "swift-file-providers"),
                .product(name: "ProviderAdapter", package: "swift-file-providers"),
            ],
            path: "CloudCore/CommandTimes", swiftSettings: [.treatAllWarnings(as: .error)]),
        // What DecodePages is measured against: libxml2 alone, in C.
        .executableTarget(name: "EmptyCallbacks", dependencies: ["CLibXML2"], path: "WebDAVFiles/EmptyCallbacks"),
        // What the libssh2 transport is measured against: libssh2's own SFTP, in C.
        .executableTarget(name: "BareLoop", dependencies: ["CLibSSH2"], path: "SFTPFiles/BareLoop"),
        .systemLibrary(
            name: "CLibSSH2", path: "SFTPFiles/CLibSSH2", pkgConfig: "libssh2", providers: [.apt(["libssh2-1-dev"])]),
        .systemLibrary(
            name: "CLibXML2", path: "WebDAVFiles/CLibXML2", pkgConfig: "libxml-2.0",
            providers: [.apt(["libxml2-dev"])]),
    ],
    swiftLanguageModes: [.v6]
)
