import CloudCore

/// Does something with files of this machine, so that its failure is not taken for the storage's.
func here<Result>(_ work: () throws -> Result) throws -> Result {
    do { return try work() } catch { throw EventFailure(error, isHere: true) }
}
