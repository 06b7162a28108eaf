import FileProviding
import Foundation

extension ListingCases {
    static let recursion = [
        ContractCase(.listing, "a recursive listing finds everything once, parents first, never the directory itself") {
            trial in
            let files = ["a", "d/b", "d/e/c", "d/e/f/g", "h/i"].map(trial.path)
            for file in files { try await trial.arrange(file: file) }
            let found = try await trial.provider.recursiveListing(path: trial.directory).collect().map(\.path)
            let directories = ["d", "d/e", "d/e/f", "h"].map(trial.path)
            try expectEqual(found.sorted(), (files + directories).sorted(), "items found")
            for (index, path) in found.enumerated() {
                let parent = path.parent ?? .root
                try expect(
                    parent == trial.directory || found[..<index].contains(parent), "\(path) comes before its directory")
            }
        },
        ContractCase(.listing, "a recursive listing begins where it is told to") { trial in
            for file in ["d/e/inside", "outside"] { try await trial.arrange(file: trial.path(file)) }
            let found = try await trial.provider.recursiveListing(path: trial.path("d")).collect().map(\.path)
            try expectEqual(found, [trial.path("d/e"), trial.path("d/e/inside")], "items found")
        },
        ContractCase(.listing, "a recursive listing of a missing directory is no such file") { trial in
            try await expectError(.noSuchFile) {
                try await trial.provider.recursiveListing(path: trial.path("missing")).collect()
            }
        },
        ContractCase(.listing, "a recursive listing of a file is refused: not a directory") { trial in
            try await trial.arrange(file: trial.path("file"))
            try await expectError(.notADirectory) {
                try await trial.provider.recursiveListing(path: trial.path("file")).collect()
            }
        },
    ]

    static let pages = [
        ContractCase(.listing, "eleven entries come once each, in pages of the agreed size") { trial in
            let names = (0..<11).map { "file \($0)" }
            for name in names { try await trial.arrange(file: trial.path(name)) }
            var sizes: [Int] = []
            var found: [String] = []
            for try await page in trial.provider.listing(path: trial.directory) {
                sizes.append(page.count)
                found.append(contentsOf: page.map(\.name))
            }
            try expectEqual(found.sorted(), names.sorted(), "names")
            guard let pageSize = trial.expectations.pageSize else { return }
            try expect(sizes.allSatisfy { $0 <= pageSize }, "pages of \(sizes) entries instead of \(pageSize)")
            try expect(sizes.count >= (11 + pageSize - 1) / pageSize, "only \(sizes.count) pages")
        },
        ContractCase(.listing, "nothing is asked before the first page is pulled, and no page before its turn") {
            trial in
            for index in 0..<11 { try await trial.arrange(file: trial.path("file \(index)")) }
            _ = try await trial.provider.contentsOfDirectory(path: trial.directory)
            let before = trial.requestCount
            var pages = trial.provider.listing(path: trial.directory).makeAsyncIterator()
            try expectEqual(trial.requestCount, before, "requests before the first page")
            _ = try await pages.next()
            let budget = trial.expectations.requestCount == nil ? 0 : trial.expectations.budget.listingPage
            try expect(
                trial.requestCount <= before + budget, "\(trial.requestCount - before) requests for the first page")
        },
        ContractCase(.listing, "a failing second page comes after the first page") { trial in
            try await arrangePages(trial)
            let failing = try await trial.failing(afterPages: 1)
            let received = Locked(0)
            try await expectError(.any) {
                for try await page in failing.listing(path: trial.directory) { received.withLock { $0 += page.count } }
            }
            let count = received.withLock { $0 }
            try expect(
                (1...trial.expectations.entriesBeforeFailure).contains(count), "\(count) entries before the failure")
        },
        ContractCase(.listing, "a listing cancelled between pages ends with a cancellation") { trial in
            try await arrangePages(trial)
            let (isBetween, goOn) = (Outcome<Void>(), Outcome<Void>())
            let task = Task {
                defer { isBetween.open() }
                var pages = trial.provider.listing(path: trial.directory).makeAsyncIterator()
                _ = try await pages.next()
                isBetween.open()
                await goOn.value
                _ = try await pages.next()
            }
            await isBetween.value
            task.cancel()
            goOn.open()
            try await expectError(.cancelled) { try await task.value }
        },
        ContractCase(.listing, "a large directory is listed whole, in little memory", isExclusive: true) { trial in
            let count = trial.expectations.largeDirectory
            try await trial.arrangeMany(count, in: trial.directory)
            try await expectMemory(growsAtMost: 64 << 20) {
                var found = 0
                for try await page in trial.provider.listing(path: trial.directory) { found += page.count }
                try expectEqual(found, count, "entries")
            }
        },
    ]

    /// Creates eleven entries, enough for a second page if the page size is known.
    static func arrangePages(_ trial: ContractTrial) async throws {
        for index in 0..<11 { try await trial.arrange(file: trial.path("file \(index)")) }
    }

    static let orders = [
        ContractCase(.listing, "a listing is sorted by name as people read it, and backwards") { trial in
            for name in ["page 10", "Page 9", "page 1", "about"] { try await trial.arrange(file: trial.path(name)) }
            try await expectOrder(of: trial, FileObjectSorting(.name), ["about", "page 1", "Page 9", "page 10"])
            try await expectOrder(
                of: trial, FileObjectSorting(.name, ascending: false), ["page 10", "Page 9", "page 1", "about"])
        },
        ContractCase(.listing, "a listing is sorted by size, extension and path") { trial in
            for (name, size) in [("b.txt", 3), ("a.zip", 1), ("c.md", 2)] {
                try await trial.arrange(file: trial.path(name), sample(size))
            }
            if trial.expectations.listsDetails {
                try await expectOrder(of: trial, FileObjectSorting(.size), ["a.zip", "c.md", "b.txt"])
            }
            try await expectOrder(of: trial, FileObjectSorting(.extension), ["c.md", "b.txt", "a.zip"])
            try await expectOrder(of: trial, FileObjectSorting(.path), ["a.zip", "b.txt", "c.md"])
        },
        ContractCase(.listing, "every order is kept in either direction") { trial in
            for (name, size) in [("b.txt", 3), ("a.zip", 1), ("c.md", 2), ("A.txt", 3), ("b2", 0)] {
                try await trial.arrange(file: trial.path(name), sample(size))
            }
            for key in FileObjectSorting.Key.allCases {
                for ascending in [true, false] {
                    let order = FileObjectSorting(key, ascending: ascending)
                    let files = try await trial.provider.contentsOfDirectory(path: trial.directory, sortedBy: order)
                    try expectEqual(files.count, 5, "entries by \(key)")
                    for (a, b) in zip(files, files.dropFirst()) {
                        try expect(order.areInIncreasingOrder(a, b), "by \(key), \(a) comes before \(b)")
                    }
                }
            }
        },
        ContractCase(.listing, "directories come first where that is asked") { trial in
            try await trial.arrange(file: trial.path("a"))
            try await trial.arrange(directory: trial.path("z"))
            try await expectOrder(of: trial, FileObjectSorting(.name, directoriesFirst: true), ["z", "a"])
            try await expectOrder(
                of: trial, FileObjectSorting(.name, ascending: false, directoriesFirst: true), ["z", "a"])
        },
    ]

    private static func expectOrder(
        of trial: ContractTrial, _ order: FileObjectSorting, _ names: [String], line: UInt = #line
    ) async throws {
        let files = try await trial.provider.contentsOfDirectory(path: trial.directory, sortedBy: order)
        try expectEqual(files.map(\.name), names, "names by \(order.key)", line: line)
    }
}
