import FileProviders

/// Runs work with a local file, so that a failure names that file and not the vault's item.
func naming<Result>(_ file: PathArgument, _ work: () async throws -> Result) async throws -> Result {
    do { return try await work() } catch {
        guard !(error is Refusal), !error.isCancellation, let reason = ErrorText.reason(of: error) else { throw error }
        throw Refusal(ShownName.escaped(file.path.bytes), reason, isAboutAccess: false)
    }
}
