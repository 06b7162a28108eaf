import FileProviding
import Foundation
import Glibc

extension LocalFileProvider {
    /// The file system that holds `path`: named after where it is mounted.
    public func storageProperties(path: ItemPath) async throws -> VolumeObject? {
        try about(path) {
            let numbers = try fileSystemNumbers()
            let block = Int64(numbers.f_frsize)
            var volume = VolumeObject(name: try mount()?.point.description)
            volume.url = baseURL
            volume.totalCapacity = Int64(numbers.f_blocks) * block
            volume.availableCapacity = Int64(numbers.f_bavail) * block
            volume.usedCapacity = (Int64(numbers.f_blocks) - Int64(numbers.f_bfree)) * block
            volume.isReadOnly = numbers.f_flag & UInt(ST_RDONLY) != 0
            return volume
        }
    }

    /// What the file system that holds the root is known for.
    public func characteristics(path: ItemPath) async throws -> ProviderCharacteristics {
        try about(.root) {
            let fileSystem = try mount()?.fileSystem
            let isFAT = fileSystem == "vfat" || fileSystem == "msdos"
            var characteristics = ProviderCharacteristics()
            characteristics.timePrecision = isFAT ? 2_000_000_000 : 1
            characteristics.settableTimePrecision = characteristics.timePrecision
            characteristics.keepsPermissions = !isFAT && fileSystem != "exfat"
            characteristics.maximumNameLength = Int(try fileSystemNumbers().f_namemax)
            characteristics.family = fileSystem
            return characteristics
        }
    }

    private func mount() throws(Errno) -> Mount? {
        let id = try root.directory.status().mount
        return Mount.all().first { $0.id == id }
    }

    private func fileSystemNumbers() throws(Errno) -> statvfs {
        var numbers = statvfs()
        try systemCall { fstatvfs(root.directory.descriptor, &numbers) }
        return numbers
    }
}
