import Foundation

extension Progress {
    /// Raises the number of units in total, at least to one: without any it would never be complete.
    ///
    /// It never falls: on Linux, Foundation's fractions overflow after some dozens of changes up and down, and end the
    /// process, as they do at once when there are none after there were some.
    package func raiseTotal(to total: Int64) { totalUnitCount = max(total, totalUnitCount, 1) }
}
