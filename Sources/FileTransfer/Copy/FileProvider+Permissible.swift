import FileProviding

extension FileProvider {
    /// The permissions that new items may have: on this machine, all that the umask allows; a server applies its own
    /// rules.
    var permissible: UInt16 { self is any FileProviderLocalAccess ? ~FileCreationMask.current : .max }
}
