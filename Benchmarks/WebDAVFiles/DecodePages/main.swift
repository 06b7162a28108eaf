// Decodes FILE, a multistatus, as WebDAVFileProvider decodes a listing's reply that arrives in pieces of PIECE bytes.
// Prints the processor seconds that decoding took, and the entries.

import FileProviding
import Foundation
import HTTPFiles
import WebDAVFiles

let arguments = CommandLine.arguments
guard arguments.count == 3, let pieceLength = Int(arguments[2]), pieceLength > 0 else { exit(64) }
let reply = try Data(contentsOf: URL(filePath: arguments[1]))
let pieces = stride(from: 0, to: reply.count, by: pieceLength).map { start in
    Data(reply[start..<min(start + pieceLength, reply.count)])
}
let provider = try WebDAVFileProvider(
    configuration: WebDAVConfiguration(url: URL(string: "http://localhost/")!), credential: nil)

func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

let began = processorTime()
var decoder = provider.pageDecoder(path: "/dav/")
var entries = 0
for piece in pieces { entries += try decoder.consume(piece).count }
entries += try decoder.finish().entries.count
print(processorTime() - began, entries)
