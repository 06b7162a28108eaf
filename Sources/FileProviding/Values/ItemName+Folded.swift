extension ItemName {
    /// The form of a name that a storage ignoring case, normalization and what stands at the end may treat as the same:
    /// a string, whose equality is canonical equivalence.
    package var folded: String {
        var folded = text.lowercased()
        while folded.last == "." || folded.last == " " { folded.removeLast() }
        return folded.isEmpty ? text : folded
    }
}
