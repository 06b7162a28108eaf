/// A storage of which only trying shows whether its files keep the modification times that they are given.
package protocol TimeKeeping: FileProvider {
    /// Returns whether files in a directory keep them. Where that is not known yet, a hidden file is put there for a
    /// moment.
    ///
    /// - Parameter isLikely: whether a file has the time that it was given, perhaps by chance: a kind of storage that
    ///   mostly keeps times is then believed.
    /// - Throws: why that could not be tried.
    func keepsTimes(in directory: ItemPath, isLikely: Bool) async throws -> Bool
}
