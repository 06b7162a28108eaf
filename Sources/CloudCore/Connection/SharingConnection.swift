import FileProviding

/// A connection to a server where items can be shared. Paths are the vault's.
///
/// Where the server turns out to have no shares, every member throws `.featureUnsupported`.
public protocol SharingConnection: Connection, ShareManaging {}
