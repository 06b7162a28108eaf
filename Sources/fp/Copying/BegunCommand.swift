import FileProviders
import Foundation

/// The command that began a transfer, as stored in its journal: enough to run it again. Arguments hold no secrets.
struct BegunCommand {
    /// The arguments without the program's name, as encoded by ``ArgumentText``.
    let arguments: [String]
    /// The folder in which the command was given, as encoded by ``ArgumentText``.
    let folder: String

    /// Creates the command of this process.
    init(_ arguments: [String]) {
        self.arguments = arguments
        // Without a working directory, nothing in the arguments is relative to it.
        folder = ArgumentText.encode((try? Environment.workingDirectory()) ?? [UInt8(ascii: "/")])
    }

    /// Reads a journal's note; `nil` for a note that is not ours.
    init?(note: [String: String]) {
        guard let folder = note["folder"], let text = note["arguments"],
            let arguments = try? JSONDecoder().decode([String].self, from: Data(text.utf8))
        else { return nil }
        self.arguments = arguments
        self.folder = folder
    }

    /// The note for a journal.
    var note: [String: String] {
        let arguments = (try? JSONEncoder().encode(arguments)) ?? Data()
        return ["folder": folder, "arguments": String(decoding: arguments, as: UTF8.self)]
    }

    /// The folder, for display.
    var shownFolder: String { ShownName.escaped(ArgumentText.decode(folder)) }

    /// The command as a user would type it.
    var text: String {
        let words = ["fp"] + arguments.map { String(decoding: ArgumentText.decode($0), as: UTF8.self) }
        return words.map { ShownName.escaped(Self.quoted($0)) }.joined(separator: " ")
    }

    /// Whether it reads standard input, of which another run has another one.
    var readsStandardInput: Bool {
        arguments.contains { argument in
            let bytes = ArgumentText.decode(argument)
            return bytes.elementsEqual("-".utf8) || LocalPath(bytes: bytes).isStandardInput
        }
    }

    /// Changes the working directory to the command's folder, or to the root if that is gone, so that no relative path
    /// refers to another file.
    func enterFolder() {
        if LocalPath(bytes: ArgumentText.decode(folder)).withCString({ chdir($0) }) != 0 { _ = chdir("/") }
    }

    /// Runs the command in its folder, replacing this process.
    ///
    /// - Throws: when the folder is gone.
    func run() throws -> Never {
        let path = LocalPath(bytes: ArgumentText.decode(folder))
        guard path.withCString({ chdir($0) }) == 0 else {
            throw Refusal(path.description, String(cString: strerror(errno)), isAboutAccess: false)
        }
        let words = [Array("fp".utf8)] + arguments.map(ArgumentText.decode)
        var vector: [UnsafeMutablePointer<CChar>?] = words.map { word in
            (word.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { strdup($0.baseAddress!) }
        }
        vector.append(nil)
        execv("/proc/self/exe", vector)
        throw Refusal("fp", String(cString: strerror(errno)), isAboutAccess: false)
    }

    private static func quoted(_ word: String) -> String {
        let isPlain = !word.isEmpty && word.allSatisfy { $0.isLetter || $0.isNumber || "-_./:=@%+,~".contains($0) }
        return isPlain ? word : "'\(word.replacing("'", with: "'\\''"))'"
    }
}
