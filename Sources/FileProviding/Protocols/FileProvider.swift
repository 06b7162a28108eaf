/// A provider that can be looked at, changed, read and written.
public protocol FileProvider: FileProviderOperations, FileProviderReadWrite {}
