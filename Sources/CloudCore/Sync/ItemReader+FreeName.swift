import FileProviding

extension ItemReader {
    /// Returns the name or, if it is taken locally or on the server, a similar one: `base (date).ext`, with a number
    /// after the date if that is taken too.
    ///
    /// - Parameters:
    ///   - first: 0 to begin with the name itself, 1 with a similar one.
    ///   - id: the item that gets the name, which does not conflict with itself.
    ///   - reserved: names that are about to be taken.
    func freeName(
        like name: ItemName, in directory: LocalID, at time: FileTime, from first: Int = 0, for id: LocalID,
        besides reserved: Set<ItemName> = []
    ) throws -> ItemName {
        let taken = try serverEntries(of: directory)
        var number = first
        while true {
            let candidate = number == 0 ? name : name.marked(time, number)
            let occupants = [taken[candidate], try item(named: candidate, in: directory)].compactMap { $0?.localID }
            if occupants.allSatisfy({ $0 == id }), !reserved.contains(candidate) { return candidate }
            number += 1
        }
    }
}
