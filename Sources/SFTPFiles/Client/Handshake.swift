import FileProviding

/// The first exchanges of a connection: versions, limits, the home directory.
final class Handshake {
    private let engine: SFTPEngine
    private let done: (Result<ServerTraits, any Error>) -> Void
    private var traits = ServerTraits()

    /// - Parameter window: the channel's receive window.
    init(_ engine: SFTPEngine, window: Int, done: @escaping (Result<ServerTraits, any Error>) -> Void) {
        self.engine = engine
        self.done = done
        traits.receiveWindow = window
    }

    func begin() {
        engine.sendInitialize { [self] answer throws(MalformedPacket) in
            switch answer {
            case .failure(let error): done(.failure(error))
            case .success(let version):
                try traits.take(version: version.body)
                askLimits()
            }
        }
    }

    private func askLimits() {
        let began = ContinuousClock.now
        if traits.offers(.limits) {
            engine.send(.extended(.limits, answer: .extendedReply)) { [self] answer throws(MalformedPacket) in
                guard case .success(let reply) = answer, reply.type == .extendedReply else { return }
                try traits.take(limits: reply.body)
            }
        }
        engine.send(.realpath([UInt8(ascii: ".")])) { [self] answer throws(MalformedPacket) in
            traits.roundTrip = .now - began
            switch answer {
            case .failure(let error): done(.failure(error))
            case .success(let reply):
                if case .names(let names) = try SFTPReply(reply.type, reply.body),
                    let home = names.first?.name, home.first == UInt8(ascii: "/")
                {
                    traits.home = home
                }
                done(.success(traits))
            }
        }
    }
}
