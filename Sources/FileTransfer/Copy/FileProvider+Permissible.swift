import FileProviding

extension FileProvider {
    /// The permissions that new items may have: on this machine without those that its person's programs do not give (umask(2)).
    /// A server sees to its own.
    var permissible: UInt16 { self is any FileProviderLocalAccess ? ~FileCreationMask.current : .max }
}
