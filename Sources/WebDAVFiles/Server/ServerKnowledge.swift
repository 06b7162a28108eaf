import FileProviding
import Foundation
import HTTPFiles

/// How the server is reached, and what has been found out about it; shared by copies of a provider.
final class ServerKnowledge: Sendable {
    /// The configuration of the provider.
    let configuration: WebDAVConfiguration
    /// The location of the configured URL on a cloud, if its path has such a form.
    let address: CloudAddress?
    /// The identity of the storage, without the account.
    let identity: ProviderIdentity
    /// The cloud behind the URL, determined once.
    let detection = Once<CloudServer?>()
    private let isWholeServer: Bool
    private let known = Locked<ServerFamily?>(nil)
    private let form = Locked<DestinationForm?>(nil)
    private let ranges = Locked(false)
    private let hidden = Locked<Bool?>(nil)
    private let signs = Locked<[UInt8: Bool]>([:])
    private let refusedMove = Locked<(refusal: MoveRefusal, moment: ContinuousClock.Instant)?>(nil)
    /// How long, after a refused MOVE, no file is sent that would need one.
    private static let refusalTime = Duration.seconds(60)

    init(_ configuration: WebDAVConfiguration) {
        self.configuration = configuration
        let configured = configuration.url
        isWholeServer = ["", "/"].contains(configured.path(percentEncoded: true))
        address = CloudAddress(configured)
        let home = address?.root.removingPercentEncoding ?? ""
        let root = try? address?.path ?? ItemPath(percentEncoded: configured.path(percentEncoded: true))
        identity = ProviderIdentity(
            type: WebDAVFileProvider.type, authority: configured.authority + home,
            root: root ?? .root)
    }

    /// The family, once an OPTIONS reply has indicated it.
    var family: ServerFamily? {
        get { known.withLock { $0 } }
        set { known.withLock { $0 = newValue } }
    }

    /// The folders for which the server has answered OPTIONS without telling anything; about others it may.
    let silent = NotedFolders()

    /// The folders in which the server accepts names, but none that begins with a dot.
    let withoutHiddenNames = NotedFolders()

    /// The form of destinations, once one has worked.
    var destinationForm: DestinationForm? {
        get { form.withLock { $0 } }
        set { form.withLock { $0 = newValue } }
    }

    /// Whether the range of a PUT is known to reach the server.
    var keepsRanges: Bool {
        get { ranges.withLock { $0 } }
        set { ranges.withLock { $0 = newValue } }
    }

    /// Whether the server lists names that begin with a dot; `nil` before that was tried.
    var listsHiddenNames: Bool? {
        get { hidden.withLock { $0 } }
        set { hidden.withLock { $0 = newValue } }
    }

    /// Returns whether the server was found to keep, in names, a character that has a meaning in addresses; `nil`
    /// before that was tried.
    func keeps(sign: UInt8) -> Bool? { signs.withLock { $0[sign] } }

    /// Remembers whether the server keeps these characters.
    func note(_ tried: Set<UInt8>, areKept: Bool) {
        signs.withLock { signs in
            for sign in tried { signs[sign] = areKept }
        }
    }

    /// Why the server has just refused to move a file that it had accepted: others would be left under temporary names
    /// too.
    var moveRefusal: MoveRefusal? {
        refusedMove.withLock { $0.flatMap { .now - $0.moment < Self.refusalTime ? $0.refusal : nil } }
    }

    /// Remembers for a while that the server refused to move a file.
    func note(_ refusal: MoveRefusal) { refusedMove.withLock { $0 = (refusal, .now) } }

    /// The cloud, or `nil` for plain WebDAV and before it was determined.
    var cloud: CloudServer? { detection.known ?? nil }

    /// Whether the server may be a cloud: the URL is that of a cloud's files, or of a whole server.
    var mayBeCloud: Bool { address != nil || isWholeServer }

    /// Whether the root is not known before the cloud is.
    var mayHideHome: Bool { isWholeServer && detection.known == nil }

    /// Whether to request ownCloud's properties.
    var knowsCloudProperties: Bool { detection.known.map { $0 != nil } ?? (address != nil) }

    /// The provider's root.
    var root: URL { isWholeServer ? cloud?.home ?? configuration.url : configuration.url }
}
