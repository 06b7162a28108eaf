/// A condition on files, as used by `searchFiles`, `fp find` and live queries.
///
/// Build one in Swift, where the compiler checks the types:
///
/// ```swift
/// let photos: FileQuery = .name.like("*.jpg", .caseInsensitive) && .fileSize > 10_000_000 && !.isHidden
/// ```
///
/// or parse the predicate format with ``init(parsing:keys:now:)``. ``matcher()`` evaluates it in memory. A layer that
/// has a faster way (SQL, a server's search) switches over the cases and renders them.
///
/// A property the file does not have is *absent*. A test of an absent property does not match, except for `.absent`
/// itself and for `!=`, which means "is not this value" and matches. A value of another type than the one it is
/// compared with is treated the same way.
///
/// Text is compared as UTF-8 bytes, as file systems do: composed and decomposed "é" differ. Use ``Options`` to relax
/// that.
public indirect enum FileQuery: Sendable, Hashable {
    /// Every file: `TRUEPREDICATE`.
    case all

    /// No file: `FALSEPREDICATE`.
    case nothing

    /// The property compared with a value: `fileSize > 10`.
    ///
    /// Parsing and the Swift builder make well-typed comparisons only; a badly typed one made by hand, such as
    /// `.comparison(.fileSize, .contains, "x")`, matches no file.
    case comparison(Key, Operator, Value, Options = [])

    /// The property is missing: `owner == NIL`.
    case absent(Key)

    /// The property equals one of the values: `type IN {"regular", "symbolicLink"}`.
    case `in`(Key, [Value], Options = [])

    /// The property lies between two values, both included: `fileSize BETWEEN {1, 10}`.
    case between(Key, Value, Value)

    /// All of these match. Without operands it is ``all``.
    case and([FileQuery])

    /// At least one of these matches. Without operands it is ``nothing``.
    case or([FileQuery])

    /// This does not match.
    case not(FileQuery)
}

extension FileQuery {
    /// The properties that this query tests: what a provider has to fetch to evaluate it.
    public var keys: Set<Key> {
        switch self {
        case .all, .nothing: []
        case .comparison(let key, _, _, _), .absent(let key), .in(let key, _, _), .between(let key, _, _): [key]
        case .and(let operands), .or(let operands): operands.reduce(into: []) { $0.formUnion($1.keys) }
        case .not(let operand): operand.keys
        }
    }
}
