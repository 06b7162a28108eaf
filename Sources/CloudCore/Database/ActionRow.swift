import FileProviding
import Foundation

/// The form of an action in the table of records: a column for each possible part, because a queue of thousands is read
/// and written again and again.
enum ActionRow {
    /// The columns that ``action(_:from:)`` reads, in order.
    static let columns = "kind, oldParentID, oldName, newParentID, newName, copyID, copyName, sourceID, attributes"

    /// A placeholder for each of these columns in a statement.
    static let placeholders = columns.split(separator: ", ").map { _ in "?" }.joined(separator: ", ")

    /// The assignments that change a record's action, for use with ``arguments(_:)``.
    static let assignments = columns.split(separator: ", ").map { "\($0) = ?" }.joined(separator: ", ")

    /// The further parts of an update, which nothing else reads.
    private struct Update: Codable {
        var attributes: ItemAttributes
        var base: FileVersion?
        var before: FileTime?
    }

    static func arguments(_ action: SyncAction) throws -> SQLArguments {
        var (old, new): (Place?, Place?)
        var update: String?
        switch action {
        case .createFolder(let place), .copy(_, let place): new = place
        case .upload(_, let place): new = place
        case .move(let from, let to): (old, new) = (from, to)
        case .delete(let place): old = place
        case .update(let attributes, let base, let before):
            update = try ItemRow.encoded(Update(attributes: attributes, base: base, before: before))
        case .download: break
        }
        return [
            action.kind.rawValue, old?.parentID.rawValue, old.map { Data($0.name.bytes) }, new?.parentID.rawValue,
            new.map { Data($0.name.bytes) }, action.copy?.id, action.copy.map { Data($0.name.bytes) },
            action.source?.rawValue, update,
        ]
    }

    /// Returns the action of a row whose columns begin at `first`.
    ///
    /// - Throws: `CocoaError(.fileReadCorruptFile)` when a part that this kind requires is missing.
    static func action(_ row: StatementRow, from first: Int32) throws -> SyncAction {
        func place(_ column: Int32) -> Place? {
            row.integerOrNil(column).map { Place(ItemName(unchecked: row.blob(column + 1)), in: LocalID(rawValue: $0)) }
        }
        func present<Value>(_ value: Value?) throws -> Value {
            guard let value else { throw CocoaError(.fileReadCorruptFile) }
            return value
        }
        let (old, new) = (place(first + 1), place(first + 3))
        let copy = row.text(first + 5).map { LocalCopy(id: $0, name: ItemName(unchecked: row.blob(first + 6))) }
        switch try present(row.text(first).flatMap(SyncRecord.Kind.init)) {
        case .createFolder: return .createFolder(try present(new))
        case .upload: return .upload(try present(copy), to: new)
        case .download: return .download
        case .move: return .move(from: try present(old), to: try present(new))
        case .copy: return .copy(LocalID(rawValue: try present(row.integerOrNil(first + 7))), to: try present(new))
        case .delete: return .delete(from: try present(old))
        case .update:
            let update: Update = try present(ItemRow.decoded(row.text(first + 8)))
            return .update(update.attributes, of: update.base, before: update.before)
        }
    }
}
