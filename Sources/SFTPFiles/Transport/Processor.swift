import Foundation

/// The processor's cryptographic instructions, which ciphers are chosen by.
enum Processor {
    static let computesAES = features.contains("aes")
    static let computesSHA256 = features.contains("sha_ni") || features.contains("sha2")

    private static let features: Set<Substring> = {
        guard let text = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8) else { return [] }
        let line = text.split(separator: "\n").first { $0.hasPrefix("flags") || $0.hasPrefix("Features") }
        return Set(line?.split(separator: " ") ?? [])
    }()
}
