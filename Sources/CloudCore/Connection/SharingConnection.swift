import FileProviding

/// A connection to a server on which items can be shared. Paths are the vault's.
///
/// If the server turns out not to support shares, every member throws `.featureUnsupported`.
public protocol SharingConnection: Connection, ShareManaging {}
