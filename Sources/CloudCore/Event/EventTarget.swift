import FileProviding

/// The globally unique and stable identifier of an event handler: one for each vault, the same in every run of the
/// program.
public struct EventHandlerIdentifier: RawRepresentable, Hashable, Sendable, Codable {
    /// The identifier's text.
    public let rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// The recipient of an operation's outcome.
///
/// A connection whose transfers outlive the program stores the ``address`` with the transfer, and passes the outcome to
/// the core with that ``Core/eventHandler`` when it exists again.
public struct EventTarget: Sendable {
    /// The part of a target that can be stored.
    public struct Address: Hashable, Sendable, Codable {
        /// The command's identifier.
        public var eventID: EventID
        /// The number of the attempt.
        public var attempt: Int
        /// The event handler.
        public var handler: EventHandlerIdentifier
        /// Information that the connection stores.
        public var userInfo: [String: String]

        /// Creates an address for one attempt at a command.
        public init(
            eventID: EventID, attempt: Int, handler: EventHandlerIdentifier, userInfo: [String: String] = [:]
        ) {
            self.eventID = eventID
            self.attempt = attempt
            self.handler = handler
            self.userInfo = userInfo
        }

        /// Returns the event for an outcome.
        public func event(_ outcome: Event.Outcome) -> Event { Event(id: eventID, attempt: attempt, outcome: outcome) }
    }

    /// The part that can be stored.
    public let address: Address
    private let deliver: @Sendable (Event) async -> Void

    /// Creates a target that passes its event to a closure.
    public init(_ address: Address, delivering deliver: @escaping @Sendable (Event) async -> Void) {
        self.address = address
        self.deliver = deliver
    }

    /// Sends the outcome. Returns when it has been accepted.
    public func send(_ outcome: Event.Outcome) async { await deliver(address.event(outcome)) }
}
