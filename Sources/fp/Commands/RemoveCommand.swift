import ArgumentParser
import FileProviders
import Foundation

/// `fp rm`.
struct RemoveCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Remove files and folders for good.",
        discussion: """
            Symbolic links are removed themselves, never what they point to. `fp trash` takes things back where there is a \
            trash.

            Examples:
              fp rm old.txt
              fp rm -r davs://anna@cloud.example/dav/old
            """)

    @Argument(help: "What to remove.")
    var locations: [LocationArgument] = []

    @Flag(name: [.short, .customShort("R"), .long], help: "Remove folders with everything below them.")
    var recursive = false

    @Flag(name: .short, help: "A missing item is fine.")
    var force = false

    @Flag(name: .customLong("no-preserve-root"), help: "Let a storage's root be removed with everything in it.")
    var allowsRoot = false

    @Flag(name: .shortAndLong, help: "Name each item that was removed.")
    var verbose = false

    @OptionGroup var access: AccessOptions

    func validate() throws {
        // Nothing to remove is as fine as a missing item.
        if locations.isEmpty, !force { throw ValidationError("Missing expected argument '<locations> ...'") }
    }

    func run(in invocation: Invocation) async throws {
        try await invocation.forEach(locations) { endpoint in
            do {
                try await refuseRoots(endpoint)
                try await endpoint.refuseSlash(verb: "removed")
                if !recursive, try await endpoint.provider.attributesOfItem(path: endpoint.path).isDirectory {
                    throw Refusal(
                        endpoint.location.description, "it is a folder",
                        remedy: "-r removes it with everything below it",
                        isAboutAccess: false)
                }
                guard try await isRemoved(endpoint, invocation) else { return }
            } catch let error where error.isNoSuchFile && force {
                return
            }
            if verbose { invocation.messages.notice("\(endpoint.location.description): removed") }
        }
    }

    /// Removes an item. Items below it that cannot be removed are named and counted, and the rest is removed.
    ///
    /// - Returns: whether nothing of it is left.
    private func isRemoved(_ endpoint: Endpoint, _ invocation: Invocation) async throws -> Bool {
        do {
            try await endpoint.provider.removeItem(path: endpoint.path)
            return true
        } catch let error where recursive && endpoint.placeBelow(of: error) != nil {
            var isEmpty = true
            for item in try await endpoint.provider.contentsOfDirectory(path: endpoint.path) {
                do {
                    let isGone = try await isRemoved(endpoint.at(item.path), invocation)
                    isEmpty = isEmpty && isGone
                } catch let error where error.isNoSuchFile {
                } catch {
                    try invocation.pass(error, below: endpoint)
                    isEmpty = false
                }
            }
            if isEmpty { try await endpoint.provider.removeItem(path: endpoint.path) }
            return isEmpty
        }
    }

    /// Throws for what is certainly a mistake: a storage's or remote's root, `.` and `..`.
    private func refuseRoots(_ endpoint: Endpoint) async throws {
        if !allowsRoot, try await endpoint.isWholeStorage(looking: recursive) {
            throw Refusal(
                endpoint.location.description, "this is the storage's root", remedy: "--no-preserve-root insists",
                isAboutAccess: false)
        }
        if endpoint.isNamedByDots {
            throw Refusal(endpoint.location.description, "“.” and “..” cannot be removed", isAboutAccess: false)
        }
    }
}
