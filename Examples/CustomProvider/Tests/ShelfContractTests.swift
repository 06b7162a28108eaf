import FileProviderTesting
import Testing

/// The whole provider contract, with a real server of a real folder.
@Suite(ServedFolder()) struct ShelfContractTests {
    @Test(arguments: ContractCase.all)
    func contract(_ promise: ContractCase) async throws {
        try await promise.run(on: #require(ServedFolder.subject))
    }
}
