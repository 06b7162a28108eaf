import FileProviding

extension ItemReader {
    /// The name, or where it is taken here or on the server one like it: `base (date).ext`, a number behind the date where
    /// that is taken too.
    ///
    /// - Parameters:
    ///   - first: 0 to begin with the name itself, 1 with one like it.
    ///   - id: the item that gets the name, in whose own way it does not stand.
    func freeName(
        like name: ItemName, in directory: LocalID, at time: FileTime, from first: Int = 0, for id: LocalID
    ) throws -> ItemName {
        let taken = try serverEntries(of: directory)
        var number = first
        while true {
            let candidate = number == 0 ? name : name.marked(time, number)
            let occupants = [taken[candidate], try item(named: candidate, in: directory)].compactMap { $0?.localID }
            if occupants.allSatisfy({ $0 == id }) { return candidate }
            number += 1
        }
    }
}
