/// A condition on files: what `searchFiles`, `fp find` and live queries are asked for.
///
/// Build one in Swift, where the compiler checks the types:
///
/// ```swift
/// let photos: FileQuery = .name.like("*.jpg", .caseInsensitive) && .fileSize > 10_000_000 && !.isHidden
/// ```
///
/// or parse the predicate format with ``init(parsing:keys:now:)``. ``matcher()`` evaluates it in memory. A layer that
/// knows a faster way (SQL, a server's search) switches over the cases and renders them.
///
/// A property the file does not have is *absent*. A test of an absent property fails, except for `.absent` itself and
/// for `!=`, which says "is not this value" and holds. A value of another kind than the one asked for counts the same.
///
/// Text is compared as UTF-8 bytes, as file systems do: composed and decomposed "é" differ. ``Options`` loosen that.
public indirect enum FileQuery: Sendable, Hashable {
    /// Every file: `TRUEPREDICATE`.
    case all

    /// No file: `FALSEPREDICATE`.
    case nothing

    /// The property stands in this relation to the value: `fileSize > 10`.
    ///
    /// Parsing and the Swift builder make well-typed comparisons only; one made by hand that is not, as in
    /// `.comparison(.fileSize, .contains, "x")`, holds for no file.
    case comparison(Key, Operator, Value, Options = [])

    /// The property is missing: `owner == NIL`.
    case absent(Key)

    /// The property equals one of the values: `type IN {"regular", "symbolicLink"}`.
    case `in`(Key, [Value], Options = [])

    /// The property lies between two values, both included: `fileSize BETWEEN {1, 10}`.
    case between(Key, Value, Value)

    /// All of these hold. Without operands it is ``all``.
    case and([FileQuery])

    /// At least one of these holds. Without operands it is ``nothing``.
    case or([FileQuery])

    /// This does not hold.
    case not(FileQuery)
}

extension FileQuery {
    /// The properties this query asks about: what a provider has to fetch to answer it.
    public var keys: Set<Key> {
        switch self {
        case .all, .nothing: []
        case .comparison(let key, _, _, _), .absent(let key), .in(let key, _, _), .between(let key, _, _): [key]
        case .and(let operands), .or(let operands): operands.reduce(into: []) { $0.formUnion($1.keys) }
        case .not(let operand): operand.keys
        }
    }
}
