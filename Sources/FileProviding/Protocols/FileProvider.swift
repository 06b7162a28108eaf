/// A provider whose items can be listed, changed, read and written.
public protocol FileProvider: FileProviderOperations, FileProviderReadWrite {}
