/// The running of this machine since it was started.
package enum MachineBoot {
    /// Its identifier, another after every start; `nil` where the kernel does not tell it.
    package static var identifier: String? {
        guard let file = try? LocalFileHandle(reading: LocalPath("/proc/sys/kernel/random/boot_id")),
            let text = try? file.read(at: 0, count: 36)
        else { return nil }
        return String(decoding: text, as: UTF8.self)
    }
}
