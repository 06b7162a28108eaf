/// Limits for what a reply may demand of the parser before it is refused.
///
/// The number of responses and of bytes is not limited: responses are passed on as they arrive.
package struct MultistatusLimits: Sendable {
    /// The deepest nesting of elements.
    package var depth = 64
    /// The most bytes of text in one element.
    package var textLength = 64 << 10
    /// The most different names; the more there are, the more a lookup costs libxml2.
    package var names = 10_000
    /// The most bytes, as received, from the end of one response to the end of the next.
    package var responseLength = 4 << 20

    package init() {}
}
