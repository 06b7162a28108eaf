// Decodes FILE, a gallery's list, as GalleryFileProvider decodes a reply that arrives in pieces of PIECE bytes; with a PIECE
// of 0, all at once with JSONDecoder alone. Prints the processor seconds that decoding took, and the images.

import FileProviding
import Foundation
import GalleryFiles
import HTTPFiles

struct BareImage: Decodable {
    let name: String
    let path: String
    let width: Int?
    let height: Int?
}

let arguments = CommandLine.arguments
guard arguments.count == 3, let pieceLength = Int(arguments[2]), pieceLength >= 0 else { exit(64) }
let reply = try Data(contentsOf: URL(filePath: arguments[1]))
let step = max(1, pieceLength == 0 ? reply.count : pieceLength)
let pieces = stride(from: 0, to: reply.count, by: step).map { Data(reply[$0..<min($0 + step, reply.count)]) }
let provider = try GalleryFileProvider(
    configuration: GalleryConfiguration(url: URL(string: "http://localhost/")!), credential: nil)

func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

let began = processorTime()
var images = 0
if pieceLength == 0 {
    images = try JSONDecoder().decode([BareImage].self, from: reply).count
} else {
    var decoder = provider.pageDecoder(path: .root)
    for piece in pieces { images += try decoder.consume(piece).count }
    images += try decoder.finish().entries.count
}
print(processorTime() - began, images)
