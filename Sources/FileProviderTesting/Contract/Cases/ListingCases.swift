import FileProviding
import Foundation

/// Directories' entries: complete, once each, page by page.
enum ListingCases {
    static let all = entries + recursion + pages + orders

    private static let entries = [
        ContractCase(.listing, "an empty directory has no entries") { trial in
            try await trial.arrange(emptyDirectory: trial.path("empty"))
            guard trial.expectations.keepsEmptyDirectories else {
                try await trial.expectMissing(trial.path("empty"))
                return try await trial.expectEntries(of: trial.directory, are: [])
            }
            try await trial.expectEntries(of: trial.directory, are: ["empty"])
            try await trial.expectEntries(of: trial.path("empty"), are: [])
        },
        ContractCase(.listing, "a file has no entries: not a directory") { trial in
            try await trial.arrange(file: trial.path("file"))
            for path in [trial.path("file"), trial.path("file").asDirectory] {
                try await expectError(.notADirectory) { try await trial.provider.contentsOfDirectory(path: path) }
            }
        },
        ContractCase(.listing, "a missing directory is no such file") { trial in
            for text in ["missing", "missing/below"] {
                try await expectError(.noSuchFile) {
                    try await trial.provider.contentsOfDirectory(path: trial.path(text))
                }
            }
        },
        ContractCase(.listing, "a listing has its own entries, not those below nor itself") { trial in
            try await trial.arrange(file: trial.path("d/inner"))
            try await trial.arrange(file: trial.path("d/e/deeper"))
            try await trial.arrange(file: trial.path("beside"))
            try await trial.expectEntries(of: trial.directory, are: ["beside", "d"])
            try await trial.expectEntries(of: trial.path("d"), are: ["e", "inner"])
            try await trial.expectEntries(of: trial.path("d").asDirectory, are: ["e", "inner"])
        },
        ContractCase(.listing, "an entry of the same name as its directory is listed") { trial in
            try await trial.arrange(file: trial.path("same/same/same"))
            try await trial.expectEntries(of: trial.path("same"), are: ["same"])
            try await trial.expectEntries(of: trial.path("same/same"), are: ["same"])
        },
        ContractCase(.listing, "hidden files are listed and say that they are hidden") { trial in
            if try trial.expectations.refusesName(ItemName(validating: ".hidden")) {
                try await expectError(.invalidName) { try await trial.arrange(file: trial.path(".hidden")) }
                return
            }
            try await trial.arrange(file: trial.path(".hidden"))
            try await trial.arrange(file: trial.path("shown"))
            let files = try await trial.provider.contentsOfDirectory(path: trial.directory)
            try expectEqual(files.filter(\.isHidden).map(\.name), [".hidden"], "hidden files")
            try expectEqual(files.filter { !$0.isHidden }.map(\.name), ["shown"], "other files")
        },
        ContractCase(.listing, "an entry's attributes equal those of the item asked alone") { trial in
            try await trial.arrange(file: trial.path("file"), sample(1_000))
            try await trial.arrange(directory: trial.path("directory"))
            for listed in try await trial.provider.contentsOfDirectory(path: trial.directory) {
                let alone = try await trial.provider.attributesOfItem(path: listed.path)
                guard trial.expectations.listsDetails else {
                    try expectTrue(listed, of: alone)
                    continue
                }
                try expectSame(alone, listed)
            }
        },
        ContractCase(.listing, "an entry's path is its directory's path and its name") { trial in
            try await trial.arrange(file: trial.path("d/file"))
            let file = try expectValue(
                try await trial.provider.contentsOfDirectory(path: trial.path("d").asDirectory).first, "the entry")
            try expectEqual(file.path, trial.path("d/file"), "path")
        },
        ContractCase(.listing, "a listing that is iterated again lists again") { trial in
            let listing = trial.provider.listing(path: trial.directory)
            try expectEqual(try await listing.collect().count, 0, "entries before")
            try await trial.arrange(file: trial.path("new"))
            try expectEqual(try await listing.collect().map(\.name), ["new"], "entries after")
        },
        ContractCase(.listing, "a cancelled task's listing ends with a cancellation") { trial in
            try await trial.arrange(file: trial.path("file"))
            let began = Outcome<Void>()
            let task = Task {
                await began.value
                return try await trial.provider.contentsOfDirectory(path: trial.directory)
            }
            task.cancel()
            began.open()
            try await expectError(.cancelled) { try await task.value }
        },
    ]
}
