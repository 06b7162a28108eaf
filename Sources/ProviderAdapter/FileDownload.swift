import CloudCore
import FileProviding
import Foundation
import Glibc

/// One attempt to fetch a file: continues after what an earlier attempt has received of the same version.
struct FileDownload: Sendable {
    private let path: ItemPath
    private let provider: any FileProviderBasic
    private let file: LocalPath
    private let journal: LocalPath
    private let progress: OperationProgress

    init(
        _ path: ItemPath, from provider: any FileProviderBasic, to file: LocalPath, journal: LocalPath,
        counting progress: OperationProgress
    ) {
        self.path = path
        self.provider = provider
        self.file = file
        self.journal = journal
        self.progress = progress
    }

    func run() async throws -> Event.Result {
        guard let provider = provider as? any FileProviderReadWrite else {
            throw FileError.unsupported(path, "files of this storage cannot be read")
        }
        let handle = try asLocalFailure {
            let descriptor = file.withCString { open($0, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
            guard descriptor >= 0 else { throw posixError(file, errno, writing: true) }
            return LocalFileHandle(owning: descriptor)
        }
        let present = try await provider.attributesOfItem(path: path)
        let start = try asLocalFailure {
            let start = try resumption(of: present, in: handle)
            try requireRoom(for: (present.size ?? 0) - start, in: handle)
            return start
        }
        progress.setTotal(present.size)
        progress.raise(to: start)
        let context = OperationContext(
            options: OperationOptions(expecting: present.version),
            progress: OperationProgress { [progress] in progress.raise(to: start + $0.completed) })
        let head: FileContents.Head
        do {
            head = try await provider.read(
                path: path, range: start == 0 ? .all : .from(start), into: handle, at: start, in: context)
        } catch let error as CocoaError where error.code == .fileWriteOutOfSpace {
            // Nothing can be written there. Removing what has arrived makes room for the rest of the vault, which could
            // not do anything otherwise.
            ftruncate(handle.descriptor, 0)
            throw EventFailure(error, isHere: true)
        }
        if let size = present.size ?? head.totalSize, try handle.size() != size {
            throw FileError.wrongLength(path, expected: size, got: try handle.size())
        }
        try await flush(handle)
        return Event.Result(item: ServerVersion(present), contents: present.version)
    }

    /// - Throws: `.fileWriteOutOfSpace` if that many bytes do not fit on the disk, before one is fetched.
    private func requireRoom(for count: Int64, in handle: LocalFileHandle) throws {
        var numbers = statvfs()
        // Some file systems do not tell.
        guard count > 0, fstatvfs(handle.descriptor, &numbers) == 0, numbers.f_blocks > 0 else { return }
        let (room, isEndless) = numbers.f_bavail.multipliedReportingOverflow(by: numbers.f_frsize)
        if !isEndless, UInt64(count) > UInt64(room) { throw posixError(file, ENOSPC, writing: true) }
    }

    /// Flushes a large file to the medium: otherwise the vault, which does that while it records the file's arrival,
    /// would keep everything else waiting for as long. On a separate thread, since tasks share theirs.
    private func flush(_ handle: LocalFileHandle) async throws {
        guard try handle.size() > 1 << 20 else { return }
        let failure = await withCheckedContinuation { ended in
            Thread.detachNewThread { ended.resume(returning: fsync(handle.descriptor) == 0 ? 0 : errno) }
        }
        if failure != 0 { throw EventFailure(posixError(file, failure, writing: true), isHere: true) }
    }

    /// The version that is arriving, and the boot of the machine since which it is: what a crash of the machine leaves
    /// of a file may have the length but not the bytes.
    private struct Arrival: Codable, Equatable {
        var version: FileVersion
        var boot: String?
    }

    /// Returns how many bytes have already arrived: those of the version that the journal names.
    private func resumption(of present: FileObject, in handle: LocalFileHandle) throws -> Int64 {
        let known = try PrivateFile.read(journal).flatMap { try? JSONDecoder().decode(Arrival.self, from: $0) }
        let arrival = Arrival(version: present.version, boot: MachineBoot.identifier)
        let size = try handle.size()
        if known == arrival, arrival.boot != nil, let total = present.size, size < total { return size }
        guard ftruncate(handle.descriptor, 0) == 0 else { throw posixError(file, errno, writing: true) }
        try PrivateFile.replace(journal, with: JSONEncoder().encode(arrival))
        return 0
    }
}
