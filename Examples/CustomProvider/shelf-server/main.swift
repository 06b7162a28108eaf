import FileProviding
import Foundation
import LocalFiles
import MemoryFiles
import ShelfServer

// shelf-server [FOLDER [PORT]]: serves a folder, or without one an in-memory store.

let arguments = CommandLine.arguments.dropFirst()
let files: any FileProvider =
    if let folder = arguments.first { try LocalFileProvider(root: LocalPath(folder)) } else { MemoryFileProvider() }
let port = arguments.dropFirst().first.flatMap { UInt16($0) } ?? 0

let server = try await ShelfServer(serving: files, port: port)
print("shelf://\(server.url.host() ?? ""):\(server.url.port ?? 0)/")
try await server.wait()
