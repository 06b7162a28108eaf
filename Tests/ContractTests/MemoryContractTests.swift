import FileProviderTesting
import FileProviders
import Testing

@Suite("Contract: Memory")
struct MemoryContractTests {
    @Test(arguments: ContractCase.all)
    func contract(_ contractCase: ContractCase) async throws {
        try await contractCase.run(on: .memory)
    }
}

extension ContractExpectations {
    /// What memory can do: everything that needs no disk, no server and no pictures.
    static var memory: ContractExpectations {
        var expectations = ContractExpectations()
        expectations.has.formUnion([
            .symbolicLinks, .partialWrites, .monitoring, .undoing, .trash, .changeTokens, .checksums,
            .settingAttributes, .configuration,
        ])
        expectations.refusesName = { $0.bytes.count > 255 }
        expectations.keepsPermissions = true
        expectations.pageSize = 5
        expectations.checksums = Set(Checksum.Algorithm.allCases)
        return expectations
    }
}

extension ContractSubject {
    /// A fresh store for each case, with small pages.
    static let memory = ContractSubject("Memory", expectations: .memory) { .memory { $0 } }
}

extension ContractSandbox {
    /// A sandbox in a store of its own, whose directories can be made unwritable and whose listings can be made to
    /// fail.
    ///
    /// - Parameter wrap: what the contract sees of a provider.
    static func memory(
        _ wrap: @escaping @Sendable (MemoryFileProvider) -> any FileProviderBasic
    ) -> ContractSandbox {
        let store = MemoryStore()
        return ContractSandbox(
            protect: { directory in
                try store.setPermissions(0o555, of: directory)
                return { try store.setPermissions(0o755, of: directory) }
            },
            failingPages: { pagesBefore in
                wrap(
                    MemoryFileProvider(store: store, pageSize: 5) { page in
                        if page >= pagesBefore { throw cocoaError("listing", code: .fileReadCorruptFile) }
                    })
            },
            provider: { wrap(MemoryFileProvider(store: store, pageSize: 5)) })
    }
}
