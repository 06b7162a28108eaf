import FileProviders
import Foundation

// ListAnything URL [PREDICATE]: lists what any storage holds, as it is found, and then what changes there.
//
//   ListAnything file:///home/me/photos "name ENDSWITH[c] '.jpg' AND fileSize > 10000000"

do {
    let arguments = CommandLine.arguments.dropFirst()
    let query = try arguments.dropFirst().first.map { try FileQuery(parsing: $0) } ?? .all
    guard let url = URL(string: arguments.first ?? "") else { throw urlError(nil, code: .badURL) }

    let (provider, path) = try ProviderRegistry.standard.open(url)
    // Where the storage does not tell of changes, it is looked at now and then.
    let tells = try await provider.capabilities(path: path).contains(.monitor)
    let monitor = tells ? provider as? any FileProviderMonitor : PollingMonitor(provider, interval: .seconds(10))
    let changes = try await monitor?.changes(path: path, recursive: true)

    var largest: FileObject?
    for try await file in provider.search(path: path, recursive: true, query: query).entries {
        print(file.size ?? 0, file.path, separator: "\t")
        if file.isRegularFile, file.size ?? 0 > largest?.size ?? 0 { largest = file }
    }

    if let largest {
        let progress = OperationProgress { print("\rreading the largest: \($0.completed) bytes", terminator: "") }
        let contents = try await provider.contents(path: largest.path, length: 16 << 20, progress: progress)
        print(", beginning with", contents.prefix(8).map { String($0, radix: 16) })
    }

    if let changes {
        print("watching; Control-C ends it")
        for try await change in changes { print(change) }
    }
} catch {
    print(error.localizedDescription)
    exit(1)
}
