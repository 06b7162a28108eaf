/// A provider whose server presents a certificate.
public protocol FileProviderServerTrust: FileProviderBasic {
    /// The object that decides about certificates that could not be verified; `nil`, the default, refuses them all.
    /// Held strongly, and shared with copies of the provider.
    var trustDecider: (any ServerTrustDeciding)? { get nonmutating set }
}
