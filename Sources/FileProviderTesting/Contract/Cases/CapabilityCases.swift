/// Every capability is present, refused or absent, exactly as the subject declares.
enum CapabilityCases {
    static let all = ContractCapability.allCases.map { capability in
        ContractCase(
            .capabilities, "\(capability.rawValue) is there, refused or absent as declared", needs: [capability]
        ) {
            trial in
            try expect(
                capability.isConformed(by: trial.provider),
                "\(trial.subject) is declared to have \(capability.rawValue), but its provider lacks the conformance")
            let told = try await trial.provider.capabilities(path: trial.directory)
            try expect(capability.told.map(told.contains) ?? true, "the provider tells that it cannot do it")
        }
    }
}
