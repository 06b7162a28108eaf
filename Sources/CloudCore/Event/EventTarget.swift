import FileProviding

/// The globally unique and stable name of who handles events: one for each vault, the same in every run of the program.
public struct EventHandlerIdentifier: RawRepresentable, Hashable, Sendable, Codable {
    /// The name's text.
    public let rawValue: String

    /// The identifier of this text.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// Where the outcome of an operation is to be sent.
///
/// A connection whose transfers outlive the program keeps the ``address`` with the transfer, and hands the outcome to the
/// core of that handler when it is there again.
public struct EventTarget: Sendable {
    /// The part of a target that can be stored.
    public struct Address: Hashable, Sendable, Codable {
        /// Which command.
        public var eventID: EventID
        /// Which attempt at it.
        public var attempt: Int
        /// Who handles the event.
        public var handler: EventHandlerIdentifier
        /// What the connection wants to remember.
        public var userInfo: [String: String]

        /// An address for one attempt at a command.
        public init(
            eventID: EventID, attempt: Int, handler: EventHandlerIdentifier, userInfo: [String: String] = [:]
        ) {
            self.eventID = eventID
            self.attempt = attempt
            self.handler = handler
            self.userInfo = userInfo
        }

        /// The event that tells this outcome.
        public func event(_ outcome: Event.Outcome) -> Event { Event(id: eventID, attempt: attempt, outcome: outcome) }
    }

    /// The part that can be stored.
    public let address: Address
    private let deliver: @Sendable (Event) async -> Void

    /// A target that hands its event to a closure.
    public init(_ address: Address, delivering deliver: @escaping @Sendable (Event) async -> Void) {
        self.address = address
        self.deliver = deliver
    }

    /// Sends the outcome. Returns when it has been taken over.
    public func send(_ outcome: Event.Outcome) async { await deliver(address.event(outcome)) }
}
