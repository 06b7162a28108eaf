import FileProviding
import Foundation

/// What an earlier run's journal says.
struct JournalHistory {
    /// The first byte of a line.
    enum Kind {
        static let header = UInt8(ascii: "h")
        static let begun = UInt8(ascii: "b")
        static let part = UInt8(ascii: "p")
        static let done = UInt8(ascii: "d")
        static let made = UInt8(ascii: "m")
        static let unmade = UInt8(ascii: "u")
        static let new = UInt8(ascii: "n")
    }

    /// ``JobIdentity/number``
    private(set) var number: UInt64?
    /// Whether there is anything to continue: a crash may have left the file empty.
    private(set) var hasHeader = false
    /// What is finished, by its keys.
    private(set) var finished: [FinishedFile] = []
    /// What was put where nothing was, by the keys of the targets.
    private(set) var new: Set<UInt64> = []
    /// The directories that were created, each before those in it.
    private(set) var directories: [MadeDirectory] = []
    /// The files that were being copied, and their places in the journal.
    private(set) var parts: [(part: JournalPart, slot: JournalFile.Slot)] = []

    init() {}

    init(_ lines: [JournalFile.Line]) {
        let decoder = JSONDecoder()
        for line in lines {
            switch line.kind {
            case Kind.header:
                hasHeader = true
                number = try? decoder.decode(TransferJournals.Header.self, from: line.text).number
            case Kind.done: if let file = FinishedFile(text: line.text) { finished.append(file) }
            case Kind.new:
                if let key = UInt64(String(decoding: line.text, as: UTF8.self), radix: 36) { new.insert(key) }
            case Kind.made:
                if let made = try? decoder.decode(MadeDirectory.self, from: line.text) { directories.append(made) }
            case Kind.unmade:
                if let path = try? decoder.decode(ItemPath.self, from: line.text) { directories.removeLast(at: path) }
            case Kind.begun: if let part = JournalPart(shortText: line.text) { parts.append((part, line.slot)) }
            case Kind.part:
                if let part = try? decoder.decode(JournalPart.self, from: line.text) { parts.append((part, line.slot)) }
            default: break
            }
        }
        finished.sort { $0.key < $1.key }
    }
}

extension [MadeDirectory] {
    mutating func removeLast(at target: ItemPath) {
        if let index = lastIndex(where: { $0.target == target }) { remove(at: index) }
    }
}
