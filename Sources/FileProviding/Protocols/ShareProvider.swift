/// A provider that manages shares.
public protocol ShareProvider: FileProviderSharing, ShareManaging {}
