import FileProviding
import Foundation
import TestSupport
import Testing

@testable import SFTPFiles

/// Packets taken apart, whatever they hold.
@Suite struct PacketTests {
    @Test(
        "whatever the bytes are, decoding ends, and takes nothing from beyond them", arguments: 0..<6 as Range<UInt64>)
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for type in [PacketType.status, .handle, .name, .attributes, .extendedReply, .version] {
            for _ in 0..<400 {
                let count = Int.random(in: 0..<80, using: &generator)
                let bytes = (0..<count).map { _ in
                    Bool.random(using: &generator) ? 0 : UInt8.random(in: 0...255, using: &generator)
                }
                bytes.withUnsafeBytes { buffer in
                    if case .handle(let handle) = try? SFTPReply(type, buffer) { #expect(handle.count < count) }
                    var traits = ServerTraits()
                    try? traits.take(version: buffer)
                    try? traits.take(limits: buffer)
                }
            }
        }
    }

    @Test("a size that no file can have is none", arguments: [(1 << 63) - 1, 1 << 63, .max] as [UInt64])
    func size(_ size: UInt64) throws {
        let bytes = ScriptedTransport.number(5) + withUnsafeBytes(of: size.bigEndian) { Array($0) }
        let attributes = try (bytes + ScriptedTransport.number(0o100644)).withUnsafeBytes { buffer in
            var reader = PacketReader(buffer)
            return try reader.attributes()
        }
        #expect(FileObject(path: "file", attributes).size == Int64(exactly: size))
        #expect(attributes.mode == 0o100644)
    }

    @Test("packets come out whole, however the bytes arrive", arguments: [1, 3, 7, 1_000, 300_000])
    func assembling(step: Int) throws {
        let packets = [5, 1, 200_000, 2, 100_000].map { [UInt8](repeating: UInt8($0 & 0xFF), count: $0) }
        let stream = packets.flatMap { ScriptedTransport.number($0.count) + $0 }
        var assembler = PacketAssembler()
        var found: [[UInt8]] = []
        var position = 0
        while position < stream.count {
            let free = assembler.free()
            let count = min(step, free.count, stream.count - position)
            free.copyBytes(from: stream[position..<position + count])
            assembler.didFill(count)
            position += count
            while let packet = try assembler.next() { found.append(Array(packet)) }
        }
        #expect(found == packets)
    }

    @Test(
        "a server's limits are used only as far as they make sense",
        arguments: [
            ([0, 0, 0, 0] as [UInt64], 32 << 10, 32 << 10), ([256 << 10, 261_120, 261_120, 1019], 261_120, 261_120),
            ([.max, .max, .max, .max], 255 << 10, 255 << 10), ([10, 1, 1, 0], 4096, 4096),
        ])
    func limits(numbers: [UInt64], read: Int, write: Int) throws {
        let bytes = numbers.flatMap { withUnsafeBytes(of: $0.bigEndian) { Array($0) } }
        var traits = ServerTraits()
        try bytes.withUnsafeBytes { try traits.take(limits: $0) }
        #expect(traits.readLength == read && traits.writeLength == write)
    }
}
