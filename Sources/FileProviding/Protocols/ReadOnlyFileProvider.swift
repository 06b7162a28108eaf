/// A provider that conforms to protocols for changing storage but refuses every change with `.featureUnsupported`,
/// whatever the server.
///
/// A marker protocol: an app can hide the commands that would be refused.
public protocol ReadOnlyFileProvider: FileProviderBasic {}
