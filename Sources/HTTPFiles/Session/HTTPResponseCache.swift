import FileProviding
import Foundation

/// A cache of replies in memory; the least recently used are dropped first. It may be shared between sessions.
///
/// It holds complete 200 replies to GET, each with the session's credential and extra headers as part of its key; never
/// partial replies, nothing that the server marked `no-store`, and no reply to a request that brings an `Authorization`
/// of its own (RFC 9111, section 3.5). A request's other fields count where the reply's `Vary` names them.
public final class HTTPResponseCache: Sendable {
    struct Key: Hashable, Sendable {
        var url: URL
        var credential: Credential?
        /// The fields that the session adds, which can contain a secret key.
        var extraHeaders: HTTPHeaders
        /// The number of times that the cache had been emptied when the request was made: a reply to an earlier request
        /// is not kept.
        var generation: Int
    }

    struct Entry: Sendable {
        var response: HTTPResponse
        var body: Data
        /// The request's values of the fields that the reply varies by.
        var varying: [String: String]
        var lastUse = 0

        var validators: (eTag: String?, modified: String?) {
            (response.headers["ETag"], response.headers["Last-Modified"])
        }
    }

    fileprivate struct State {
        var entries: [Key: Entry] = [:]
        var bytes = 0
        var uses = 0
        var generation = 0
    }

    private let capacity: Int
    private let largestReply: Int
    private let state = Locked(State())

    /// Creates a cache of at most `capacity` bytes, in replies of at most `largestReply` bytes each.
    public init(capacity: Int = 16 << 20, largestReply: Int = 1 << 20) {
        self.capacity = capacity
        self.largestReply = largestReply
    }

    /// Removes all replies.
    public func removeAll() {
        state.withLock { state in
            let generation = state.generation + 1
            state = State()
            state.generation = generation
        }
    }

    /// Returns the key of a reply to a request that is made now.
    func key(_ url: URL, credential: Credential?, extraHeaders: HTTPHeaders) -> Key {
        Key(
            url: url, credential: credential, extraHeaders: extraHeaders,
            generation: state.withLock { $0.generation })
    }

    /// The number of bytes held, not counting heads.
    public var byteCount: Int { state.withLock { $0.bytes } }

    func entry(_ key: Key, for request: HTTPRequest) -> Entry? {
        state.withLock { state in
            guard let entry = state.entries[key], entry.varying.allSatisfy({ request.headers[$0] ?? "" == $1 }) else {
                return nil
            }
            state.uses += 1
            state.entries[key]?.lastUse = state.uses
            return entry
        }
    }

    /// Returns a reply's body such that it is kept when it has been read to its end, if it is small enough.
    func storing(_ body: ByteStream, of response: HTTPResponse, _ key: Key, for request: HTTPRequest) -> ByteStream {
        guard response.status == 200, body.length ?? 0 <= Int64(min(largestReply, capacity)) else {
            store(response, nil, key, for: request)
            return body
        }
        return ByteStream(length: body.length, isReplayable: false) { [self] in
            let next = try await body.begin()
            let gathered = Locked<Data?>(Data())
            return { [self] in
                let chunk = try await next()
                let whole = gathered.withLock { gathered -> Data? in
                    guard let chunk else { return gathered.take() }
                    gathered?.append(chunk)
                    if gathered?.count ?? 0 > largestReply { gathered = nil }
                    return nil
                }
                if let whole { store(response, whole, key, for: request) }
                return chunk
            }
        }
    }

    /// - Parameter body: the whole body, or `nil` for one that is not to be kept.
    func store(_ response: HTTPResponse, _ body: Data?, _ key: Key, for request: HTTPRequest) {
        let control = response.headers.values("Cache-Control").joined(separator: ",").lowercased()
        let fields = response.headers.values("Vary").flatMap { $0.split(separator: ",") }
            .map { $0.trimmingCharacters(in: .whitespaces) }
        let isKept =
            response.status == 200 && request.method == .get && body?.count ?? .max <= min(largestReply, capacity)
            && !control.contains("no-store") && !fields.contains("*")
        let varying = Dictionary(fields.map { ($0, request.headers[$0] ?? "") }) { $1 }
        state.withLock { state in
            state.remove(key)
            guard isKept, let body, key.generation == state.generation else { return }
            state.uses += 1
            state.entries[key] = Entry(response: response, body: body, varying: varying, lastUse: state.uses)
            state.bytes += body.count
            while state.bytes > capacity, let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
                state.remove(oldest.key)
            }
        }
    }
}

extension HTTPResponseCache.State {
    fileprivate mutating func remove(_ key: HTTPResponseCache.Key) {
        guard let entry = entries.removeValue(forKey: key) else { return }
        bytes -= entry.body.count
    }
}
