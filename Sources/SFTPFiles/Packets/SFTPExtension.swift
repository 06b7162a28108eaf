/// The extensions, mostly of OpenSSH's server, that are used if a server announces them (OpenSSH's PROTOCOL, section
/// 4).
enum SFTPExtension: String, Sendable, CaseIterable {
    case limits = "limits@openssh.com"
    case posixRename = "posix-rename@openssh.com"
    case fsync = "fsync@openssh.com"
    case copyData = "copy-data"
    case statvfs = "statvfs@openssh.com"
    case hardlink = "hardlink@openssh.com"
    case lsetstat = "lsetstat@openssh.com"
    case expandPath = "expand-path@openssh.com"
    case homeDirectory = "home-directory"
    /// The versions of SFTP that a server speaks: ProFTPD.
    case versions
}
