import Foundation

extension Progress {
    /// Sets the number of units in total, at least one: without any it would never be complete, and on Linux Foundation
    /// ends the process when there were some before.
    package func setTotal(_ total: Int64) { totalUnitCount = max(total, 1) }
}
