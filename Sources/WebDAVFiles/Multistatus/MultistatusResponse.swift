/// One `response` of a multistatus (RFC 4918, section 14.24).
package struct MultistatusResponse: Sendable, Equatable {
    let values: DAVValues
    let others: [XMLName]

    /// The response's own status, as in replies to DELETE, COPY and MOVE, and for members that cannot be described.
    package let status: Int?
    /// The statuses, each once, of the `propstat`s whose properties were left out.
    package let failedStatuses: [Int]
    /// Whether the server is still processing the item (425 TOO EARLY); its properties may change again.
    package let isProcessing: Bool
    /// What the server said about a failure.
    package let problem: DAVProblem?

    /// The status of what failed: the response's own, or that of a `propstat`, where some servers put it. `nil` for
    /// success.
    package var failure: Int? { status.flatMap { $0 >= 300 ? $0 : nil } ?? failedStatuses.first }

    /// The status by which a server says of all properties that they do not exist. Every resource has a type: if it was
    /// asked for, there is none (nginx with an old dav-ext).
    package var absence: Int? { refusal == nil && !hasProperties ? failedStatuses.first : nil }

    /// The status by which a server refuses the properties, of which it tells none, for another reason: the user may
    /// not see them (sabre/dav with access control).
    package var refusal: Int? { hasProperties ? nil : failedStatuses.first { $0 != 404 && $0 != 410 } }

    private var hasProperties: Bool {
        var hasProperties = false
        values.forEach { code, _ in hasProperties = hasProperties || code != DAVElement.href.rawValue }
        return hasProperties
    }

    /// The reference as it was sent, percent-encoded; empty if the reply has none, as for a lock.
    package var href: [UInt8] { withHref { Array($0) } }

    /// The properties, decoded at each access: those of every `propstat` with a 2xx status or 425.
    package var properties: DAVProperties { DAVProperties(values, others: others) }

    /// Calls `body` with the reference's bytes.
    func withHref<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try values.withFirst(DAVElement.href.rawValue, body)
    }
}
