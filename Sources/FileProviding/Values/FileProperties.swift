/// The metadata inside a file, in the order in which it is displayed.
public struct FileProperties: Hashable, Sendable {
    /// A property's name and value as text.
    public struct Property: Hashable, Sendable {
        /// The display name: `Camera`, `Album`.
        public var key: String
        /// The display value: `f/2.8`, `3:41`.
        public var value: String

        /// Creates a property as it is displayed.
        public init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    /// The properties, in the order in which they are displayed.
    public var properties: [Property]

    /// Creates the properties, in the order in which they are displayed.
    public init(_ properties: [Property]) { self.properties = properties }

    /// The names, in order.
    public var keys: [String] { properties.map(\.key) }

    /// The value of the first property with this name.
    public subscript(key: String) -> String? { properties.first { $0.key == key }?.value }
}
