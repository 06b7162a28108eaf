extension Int64 {
    /// The sum, or the largest number where it is larger: sizes come from servers, which can say anything.
    package func addingSaturated(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
