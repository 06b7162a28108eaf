#if Thumbnails
import CThumbnails
import FileProviding
import Foundation

/// Reads audio tags with TagLib.
enum Audio {
    static let extensions = ["mp3", "ogg", "oga", "flac", "mpc", "wv", "spx", "tta", "m4a", "wma"]

    private static let names: [(field: String, key: String)] = [
        ("title", "Title"), ("artist", "Artist"), ("album", "Album"), ("track", "Track"), ("year", "Year"),
        ("genre", "Genre"), ("comment", "Comment"),
    ]

    static func properties(of file: LocalFileHandle, type: String) throws -> FileProperties {
        if ["mp3", "flac", "tta"].contains(type), try ID3Frames.arePacked(in: file, searching: type == "mp3") {
            throw InformationProblem.tooLarge("compressed tags are not read")
        }
        let fields = FieldCollector()
        // TagLib takes only paths; this one refers to the open file, whatever has its name by now.
        let outcome = fp_audio_describe(
            "/proc/self/fd/\(file.descriptor)", type, FieldCollector.receive,
            Unmanaged.passUnretained(fields).toOpaque())
        guard outcome != FPAudioNoLibrary else { throw InformationProblem.noLibrary("TagLib") }
        // TagLib accepts any bytes as an MP3 in which it did not find a frame.
        guard outcome == FPAudioDone, !fields.values.isEmpty else { throw InformationProblem.unknownType }
        var properties = names.compactMap { field, key in
            fields.values[field].map { FileProperties.Property(key: key, value: $0) }
        }
        func add(_ key: String, _ field: String, _ shown: (Int) -> String) {
            guard let number = fields.values[field].flatMap({ Int($0) }) else { return }
            properties.append(.init(key: key, value: shown(number)))
        }
        add("Length", "seconds") { seconds in
            let rest = seconds % 60
            return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
        }
        add("Bit rate", "bitrate") { "\($0) kbit/s" }
        add("Sample rate", "samplerate") { "\($0) Hz" }
        add("Channels", "channels") { "\($0)" }
        return FileProperties(properties)
    }
}

extension LocalFileInformationGenerator {
    mutating func addAudio() {
        for type in Audio.extensions {
            addProperties(for: [type]) { file in
                try await LocalThreads.run { try Audio.properties(of: file, type: type) }
            }
        }
    }
}
#endif
