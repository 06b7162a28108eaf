import Foundation

/// A server's XML description of a failure: the content of `error` and `responsedescription` (RFC 4918, section 14).
package struct DAVProblem: Sendable, Hashable {
    /// The name of the condition that was not met, such as `lock-token-submitted`.
    package var precondition: String?
    /// The text for display.
    package var message: String?

    package init(precondition: String? = nil, message: String? = nil) {
        self.precondition = precondition
        self.message = message
    }

    /// Parses the body of a refusal; `nil` if it is not an `error` in XML: it may be a web page, text or nothing.
    package init?(errorBody: Data) {
        let parser = MultistatusParser(expecting: .error)
        guard (try? parser.consume(errorBody)) != nil, (try? parser.finish()) != nil,
            let problem = parser.takeResponses().first?.problem
        else { return nil }
        self = problem
    }
}
