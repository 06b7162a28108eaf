/// How much a reply may ask of the parser before it is refused.
///
/// The number of responses and of bytes is not limited: responses are handed on as they come.
package struct MultistatusLimits: Sendable {
    /// How deeply elements may be nested.
    package var depth = 64
    /// Bytes of text in one element.
    package var textLength = 64 << 10
    /// Different names; looking one up costs libxml2 the more the more there are.
    package var names = 10_000
    /// Bytes, as they come over the wire, from the end of one response to the end of the next.
    package var responseLength = 4 << 20

    package init() {}
}
