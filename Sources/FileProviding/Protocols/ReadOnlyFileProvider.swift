/// A provider that conforms to protocols for changing storage but refuses every change with `.featureUnsupported`,
/// whatever the server.
///
/// A marker protocol: lets an app hide what would be refused.
public protocol ReadOnlyFileProvider: FileProviderBasic {}
