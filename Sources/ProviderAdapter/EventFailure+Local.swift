import CloudCore

/// Runs work on local files, so that its failure is not mistaken for the storage's.
func asLocalFailure<Result>(_ work: () throws -> Result) throws -> Result {
    do { return try work() } catch { throw EventFailure(error, isHere: true) }
}
