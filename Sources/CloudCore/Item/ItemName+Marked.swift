import FileProviding
import Foundation

extension ItemName {
    /// Returns `base (date).ext`, from the second one on with a number after the date: another name for the same
    /// contents, which sorts next to it. A leading dot begins no extension; the name is shortened if it would be longer
    /// than 255 bytes.
    func marked(_ time: FileTime, _ number: Int) -> ItemName {
        let date = Date(timeIntervalSince1970: Double(time.seconds)).ISO8601Format(
            .iso8601.year().month().day().dateTimeSeparator(.space).time(includingFractionalSeconds: false)
                .timeSeparator(.omitted))
        let mark = Array(" (\(date)\(number > 1 ? " \(number)" : ""))".utf8)
        return shortened(with: mark)
    }

    /// The name for a local file, shortened if it would be longer than 255 bytes: other storages have longer ones.
    var storable: ItemName { bytes.count > 255 ? shortened(with: []) : self }

    /// Returns the name with a mark before its extension.
    private func shortened(with mark: [UInt8]) -> ItemName {
        let dot = bytes.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 ? $0 : nil } ?? bytes.count
        var base = bytes[..<dot]
        // An extension that alone is too long is treated as none.
        let rest = bytes[dot...].count + mark.count < 255 ? bytes[dot...] : []
        while base.count > 1, base.count + mark.count + rest.count > 255 {
            // Whole characters: do not cut a UTF-8 sequence.
            while base.count > 1, let last = base.popLast(), last & 0xC0 == 0x80 {}
        }
        return ItemName(unchecked: base + mark + rest)
    }

    /// Returns whether this is a name that was marked at that time.
    func isMarked(_ name: ItemName, at time: FileTime) -> Bool {
        (1...Self.mostMarks).contains { name.marked(time, $0) == self }
    }

    /// The most names with one date that are tried.
    private static let mostMarks = 99
}
