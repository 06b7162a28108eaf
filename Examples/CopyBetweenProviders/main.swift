import FileProviders
import Foundation
import ShelfProvider

// CopyBetweenProviders SOURCE DESTINATION: copies a file or folder from any provider to any other, each given by its
// URL. If it was stopped half-way, by Ctrl-C or killed, the same command continues where it was.
//
//   CopyBetweenProviders file:///home/me/photos shelf://127.0.0.1:8080/photos
//   EXAMPLE_PASSWORD=… CopyBetweenProviders davs://me@cloud.example/photos file:///home/me/photos

var registry = ProviderRegistry.standard
registry.register(ShelfProvider.self)

do {
    let urls = CommandLine.arguments.dropFirst().compactMap { URL(string: $0) }
    guard urls.count == 2 else { throw urlError(nil, code: .badURL, reason: "two are needed") }
    let password = ProcessInfo.processInfo.environment["EXAMPLE_PASSWORD"]
    let ends = try urls.map { url in
        let credential = url.user().flatMap { user in password.map { Credential.password(user: user, password: $0) } }
        let (provider, path) = try registry.open(url, credential: credential)
        return TransferEndpoint(provider, path)
    }
    var options = TransferOptions()
    options.recursive = true
    options.conflict = .update
    let plan = try await TransferPlan(from: [ends[0]], to: ends[1], options: options)

    let journals = FileManager.default.homeDirectoryForCurrentUser.appending(
        path: ".local/state/copy-between-providers")
    let transfer = Transfer(
        plan, in: TransferEnvironment(journals: TransferJournals(folder: LocalPath(journals.path))))
    for await event in transfer {
        if case .ended(let receipt) = event, let assurance = receipt.assurance {
            print("\r\(receipt.target): \(assurance)")
        }
        print("\r\(transfer.progress.completedUnitCount) of \(transfer.progress.totalUnitCount) bytes", terminator: "")
        fflush(nil)
    }
    let report = try await transfer.report
    print("\r\(report.copied) files, \(report.bytes) bytes in \(report.duration)")
    for failure in report.failures { print(failure.source, failure.error?.localizedDescription ?? "") }
    exit(report.isComplete ? 0 : 1)
} catch {
    print(error.localizedDescription)
    exit(1)
}
