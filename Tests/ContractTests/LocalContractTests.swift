import FileProviderTesting
import FileProviders
import Foundation
import Testing

@Suite("Contract: Local")
struct LocalContractTests {
    @Test(arguments: ContractCase.all)
    func contract(_ contractCase: ContractCase) async throws {
        try await contractCase.run(on: .local)
    }
}

extension ContractSubject {
    /// A folder on this machine's disk for each case, with a trash of its own beside it.
    static let local: ContractSubject = {
        var expectations = ContractExpectations()
        expectations.has.formUnion([
            .symbolicLinks, .partialWrites, .monitoring, .undoing, .trash, .settingAttributes, .localAccess,
            .configuration, .details,
        ])
        expectations.refusesName = { $0.bytes.count > 255 }
        expectations.keepsPermissions = true
        expectations.largeFile = 5 << 30
        // The kernel's clock for files ticks every few milliseconds.
        expectations.versionsDistinguishEveryWrite = false
        return ContractSubject("Local", expectations: expectations) {
            let folder = FileManager.default.temporaryDirectory.appending(path: "contract-local-\(UUID())")
            for name in ["root", "trash"] {
                try FileManager.default.createDirectory(
                    at: folder.appending(path: name), withIntermediateDirectories: true)
            }
            let base = LocalPath(folder.path(percentEncoded: false))
            let (root, trash) = (base.appending("root"), base.appending("trash"))
            return ContractSandbox(localView: root) {
                try LocalFileProvider(root: root, trash: trash)
            } close: {
                try FileManager.default.removeItem(at: folder)
            }
        }
    }()
}
