/// A storage of which only trying shows whether its files keep the modification times that they are given.
package protocol TimeKeeping: FileProvider {
    /// Returns whether files in a directory keep them. Where that is not known yet, a hidden file is put there for a
    /// moment.
    ///
    /// - Throws: why that could not be tried.
    func keepsTimes(in directory: ItemPath) async throws -> Bool
}
