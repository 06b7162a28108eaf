import FileProviders
import Foundation

extension Endpoint {
    /// Whether the location is `-`, which means standard input; `./-` is a file of that name.
    var isStandardInput: Bool { location.isDash }

    /// Whether the source can be read only once.
    var isStream: Bool { provider is StreamProvider }

    /// Returns a source that is read once to its end if this is a local item without a known length: `-`, a pipe, a
    /// device, a link to one of these, or a file that the kernel generates. Any other location is returned unchanged.
    ///
    /// - Parameter followsLinks: whether links to such items count.
    func asStream(followsLinks: Bool = true) -> Endpoint {
        guard case .local = location.place else { return self }
        let file = LocalPath(bytes: [UInt8(ascii: "/")] + path.asItem.bytes)
        let stream: StreamProvider
        if isStandardInput || file.isStandardInput {
            stream = .standardInput(as: path)
        } else if !path.namesDirectory, file.isStream(followsLinks: followsLinks) {
            stream = StreamProvider(path: path) {
                let descriptor = file.withCString { open($0, O_RDONLY | O_CLOEXEC) }
                guard descriptor >= 0 else { throw posixError(file, errno, writing: false) }
                return LocalFileHandle(owning: descriptor)
            }
        } else {
            return self
        }
        return Endpoint(location: location, provider: stream, path: path)
    }
}

extension Location {
    /// Whether the location is `-`: standard input or standard output.
    var isDash: Bool { text.elementsEqual("-".utf8) }
}

extension LocalPath {
    /// Whether the path is one of the system's names for standard input.
    var isStandardInput: Bool {
        ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].contains { bytes.elementsEqual($0.utf8) }
    }

    /// Whether the item's length is unknown until it has been read.
    fileprivate func isStream(followsLinks: Bool) -> Bool {
        var (own, end) = (stat(), stat())
        guard withCString({ lstat($0, &own) }) == 0, withCString({ stat($0, &end) }) == 0 else { return false }
        let isLink = own.st_mode & S_IFMT == S_IFLNK
        guard followsLinks || !isLink else { return false }
        switch end.st_mode & S_IFMT {
        case S_IFIFO, S_IFCHR, S_IFBLK: return true
        // Such a link stands for an open file, and for a different one in any other process.
        case S_IFREG where isLink: return bytes.starts(with: "/dev/fd/".utf8) || bytes.starts(with: "/proc/".utf8)
        // Files there report no size or a wrong one.
        case S_IFREG: return bytes.starts(with: "/proc/".utf8) || bytes.starts(with: "/sys/".utf8)
        default: return false
        }
    }
}
