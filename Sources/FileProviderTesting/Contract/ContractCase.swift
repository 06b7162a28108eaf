import FileProviding

/// One promise of the provider contract, as a value that any test library can run over any provider.
///
/// ```swift
/// @Test(arguments: ContractCase.all)
/// func contract(_ contractCase: ContractCase) async throws {
///     try await contractCase.run(on: subject)
/// }
/// ```
///
/// Write your own with ``init(_:_:needs:isExclusive:body:)`` and the helpers of ``ContractTrial``: a body throws a
/// ``ContractFailure`` when the promise is broken.
public struct ContractCase: Sendable {
    /// Tests the provider.
    public typealias Body = @Sendable (ContractTrial) async throws -> Void

    /// The part of the contract that the promise belongs to.
    public let section: ContractSection
    /// The promise as a sentence; names of files in it are escaped.
    public let name: String
    /// What the provider must be able to do for the promise to apply.
    public let needs: [ContractCapability]
    /// Whether no other case of the subject may run at the same time, because this one measures the process.
    public let isExclusive: Bool
    private let body: Body

    /// Creates a case from a promise and the body that tests it.
    public init(
        _ section: ContractSection, _ name: String, needs: [ContractCapability] = [], isExclusive: Bool = false,
        body: @escaping Body
    ) {
        self.section = section
        self.name = name
        self.needs = needs
        self.isExclusive = isExclusive
        self.body = body
    }

    /// How a promise was kept.
    public enum Outcome: Sendable, Hashable {
        /// The provider does what is required.
        case held
        /// The subject declares that its provider lacks this, and it does: the conformance is missing.
        case absent(ContractCapability)
        /// The subject declares that its server lacks this, and the provider refuses before it sends anything.
        case refused(ContractCapability)
    }

    /// Runs the case in an empty directory of the subject's storage, and cleans up.
    ///
    /// If the subject lacks what the case needs, the lack itself is asserted: nothing is skipped.
    ///
    /// - Throws: ``ContractFailure``, or any other error that occurred.
    @discardableResult
    public func run(on subject: ContractSubject) async throws -> Outcome {
        try await subject.queue.run(alone: isExclusive) {
            try await withDeadline(subject.expectations.deadline, "\(self)") {
                try await subject.withTrial { trial in try await run(in: trial) }
            }
        }
    }

    private func run(in trial: ContractTrial) async throws -> Outcome {
        for capability in needs where !trial.expectations.has.contains(capability) {
            if trial.expectations.refuses.contains(capability) {
                try await capability.assertRefused(in: trial)
                return .refused(capability)
            }
            try capability.assertAbsent(in: trial)
            return .absent(capability)
        }
        try await body(trial)
        return .held
    }
}

extension ContractCase: CustomStringConvertible {
    /// `Names: a file named "e\u{301}" …`.
    public var description: String { "\(section.rawValue): \(name)" }
}

extension ContractCase {
    /// The whole contract.
    public static let all: [ContractCase] = ContractSection.allCases.flatMap(\.cases)
}
