import FileProviding
import Foundation

/// An open file that has bytes although the server reports none, or no size: the files of `/proc` are generated when
/// they are read. It is closed when it is released.
final class UnsizedFile: Sendable {
    private let client: SFTPClient
    private let handle: [UInt8]
    private let end: Int64
    private let state: Locked<(first: Data?, position: Int64)>

    /// Takes ownership of an open file, unless there is no byte in the range, in whatever way the server reports that.
    static func found(_ client: SFTPClient, _ handle: [UInt8], in range: Range<Int64>) async throws -> UnsizedFile? {
        do {
            guard let first = try await client.bytes(of: handle, in: range) else { return nil }
            return UnsizedFile(client, handle, first, range)
        } catch is SFTPStatus { return nil }
    }

    private init(_ client: SFTPClient, _ handle: [UInt8], _ first: Data, _ range: Range<Int64>) {
        self.client = client
        self.handle = handle
        end = range.upperBound
        state = Locked((first, range.lowerBound + Int64(first.count)))
    }

    deinit { client.forget(.close(handle)) }

    /// Returns the next bytes, one request after another: the file ends when none are left.
    func next() async throws -> Data? {
        let (first, position) = state.withLock { state in (state.first.take(), state.position) }
        if let first { return first }
        let bytes = try await client.bytes(of: handle, in: position..<end)
        state.withLock { $0.position += Int64(bytes?.count ?? 0) }
        return bytes
    }
}

extension SFTPClient {
    /// Returns the bytes that one READ gives of a range; `nil` if it is empty or the file has ended.
    fileprivate func bytes(of handle: [UInt8], in range: Range<Int64>) async throws -> Data? {
        guard !range.isEmpty else { return nil }
        let count = min(Int64(traits.readLength), range.upperBound - range.lowerBound)
        switch try await call(.read(handle, at: range.lowerBound, count: Int(count))) {
        case .data(let bytes) where !bytes.isEmpty && bytes.count <= count: return Data(bytes)
        case .status(let status) where status.code == .endOfFile: return nil
        case let other:
            try other.confirm()
            throw SFTPStatus(rawCode: SFTPStatus.Code.failure.rawValue, message: "READ gave another number of bytes")
        }
    }
}
