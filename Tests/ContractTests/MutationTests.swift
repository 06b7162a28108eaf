import FileProviderTesting
import FileProviders
import Testing

/// A contract that cannot fail is worth nothing: break a promise, and see the contract notice.
@Suite("Contract: mutations")
struct MutationTests {
    @Test("The decorator by itself breaks nothing", arguments: ContractCase.all)
    func unbroken(_ contractCase: ContractCase) async throws {
        try await contractCase.run(on: .mutant)
    }

    @Test(arguments: Mutation.all)
    func isNoticed(_ mutation: Mutation) async throws {
        let subject = ContractSubject.mutant(mutation)
        let noticed = await withTaskGroup(of: String?.self) { group in
            for contractCase in mutation.section.cases {
                group.addTask {
                    do { try await contractCase.run(on: subject) } catch { return contractCase.name }
                    return nil
                }
            }
            return await group.reduce(into: []) { names, name in if let name { names.append(name) } }
        }
        #expect(!noticed.isEmpty, "nothing in \(mutation.section.rawValue) notices that \(mutation)")
        #expect(noticed.count < mutation.section.cases.count, "everything fails, so nothing was told apart")
    }
}

extension ContractSubject {
    /// The decorator with nothing broken.
    static let mutant = mutant(Mutation("nothing", .names), isPatient: true)

    /// - Parameter isPatient: whether what does not end is given all the time there is; a broken promise may never end.
    static func mutant(_ mutation: Mutation, isPatient: Bool = false) -> ContractSubject {
        var expectations = ContractExpectations.memory
        expectations.has.remove(.configuration)
        expectations.largeDirectory = 200
        expectations.largeFile = 1 << 20
        if !isPatient {
            expectations.deadline = .seconds(20)
            expectations.monitorPatience = .seconds(2)
        }
        return ContractSubject("\(mutation)", expectations: expectations) {
            .memory { MutantProvider(base: $0, mutation: mutation) }
        }
    }
}
