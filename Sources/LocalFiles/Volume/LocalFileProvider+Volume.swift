import CPlatform
import FileProviding
import Foundation
import Glibc

extension LocalFileProvider {
    /// Returns the file system that holds `path`, or would hold it if it existed; it is named after its mount point.
    public func storageProperties(path: ItemPath) async throws -> VolumeObject? {
        try about(path) {
            let item = try nearestItem(path)
            let numbers = try item.fileSystemNumbers()
            func inBytes(_ count: UInt) -> Int64 {
                let (product, overflow) = count.multipliedReportingOverflow(by: numbers.f_frsize)
                return overflow ? .max : Int64(clamping: product)
            }
            var volume = VolumeObject(name: try item.mount()?.point.description)
            volume.url = baseURL
            volume.totalCapacity = inBytes(numbers.f_blocks)
            volume.availableCapacity = inBytes(numbers.f_bavail)
            volume.usedCapacity = inBytes(numbers.f_blocks - min(numbers.f_bfree, numbers.f_blocks))
            volume.isReadOnly = numbers.f_flag & UInt(ST_RDONLY) != 0
            return volume
        }
    }

    /// Returns what the file system that holds `path`, or would hold it if it existed, can do; each file system is
    /// examined once.
    public func characteristics(path: ItemPath) async throws -> ProviderCharacteristics {
        try about(path) {
            let item = try nearestItem(path)
            let identity = try item.fileSystemIdentity()
            if let known = knownFileSystems.withLock({ $0[identity] }) { return known }
            let found = try item.characteristics()
            knownFileSystems.withLock { $0[identity] = found }
            return found
        }
    }

    /// Opens the item, or the nearest directory above it that exists.
    private func nearestItem(_ path: ItemPath) throws(Errno) -> Directory {
        do { return Directory(owning: try root.open(path, flags: fp_o_path)) } catch {
            guard error.code == ENOENT, let parent = path.parent else { throw error }
            return try nearestItem(parent)
        }
    }
}

/// Identifies a mounted file system: a mount's number and a device are used again after they are free.
struct FileSystemIdentity: Hashable {
    var mount: UInt64
    var device: UInt64
    /// What the file system calls itself (`f_fsid`).
    var number: UInt
}

extension OpenItem {
    fileprivate func fileSystemIdentity() throws(Errno) -> FileSystemIdentity {
        let status = try status()
        return FileSystemIdentity(
            mount: status.mount, device: status.device, number: UInt(try fileSystemNumbers().f_fsid))
    }

    fileprivate func mount() throws(Errno) -> Mount? {
        let id = try status().mount
        return Mount.all().first { $0.id == id }
    }

    fileprivate func fileSystemNumbers() throws(Errno) -> statvfs {
        var numbers = statvfs()
        try systemCall { fstatvfs(descriptor, &numbers) }
        return numbers
    }

    fileprivate func characteristics() throws(Errno) -> ProviderCharacteristics {
        let fileSystem = try mount()?.fileSystem
        let times = StoredTimes(fileSystem: fileSystem ?? "")
        var characteristics = ProviderCharacteristics()
        characteristics.computesChecksums = true
        characteristics.timePrecision = times.precision
        characteristics.settableTimePrecision = times.precision
        characteristics.earliestSettableTime = times.earliest
        characteristics.keepsPermissions = !["vfat", "msdos", "exfat"].contains(fileSystem)
        characteristics.maximumNameLength = Int(try fileSystemNumbers().f_namemax)
        characteristics.family = fileSystem
        return characteristics
    }
}
