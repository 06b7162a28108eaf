import FileProviding
import Testing

@Suite struct FileObjectSortingTests {
    @Test func namesAreReadAsPeopleDo() {
        let names = ["page 10", "Page 2", "page 1", "page 02", "a", "B", "c9z", "c10a", "c", "é", "_"]
        #expect(
            sorted(names, by: .name)
                == ["_", "a", "B", "c", "c9z", "c10a", "page 1", "Page 2", "page 02", "page 10", "é"])
    }

    @Test func everyOrderIsTotal() {
        let names = ["a", "A", "a1", "a01", "a001", "1", "01", "1a", "", "z"].map { $0 + "." }
        for key in FileObjectSorting.Key.allCases {
            for ascending in [true, false] {
                let order = FileObjectSorting(key, ascending: ascending)
                let once = sorted(names, by: order)
                #expect(sorted(names.reversed(), by: order) == once, "\(key)")
            }
        }
    }

    @Test func orderIsTransitive() {
        let names = ["a", "a1", "a01", "a1b", "a01b", "a2", "a10", "A1", "1", "1a", "a-1", "a 1", "a.", "ab"]
        let files = names.map(file)
        let order = FileObjectSorting(.name)
        for a in files {
            #expect(!order.areInIncreasingOrder(a, a))
            for b in files where order.areInIncreasingOrder(a, b) {
                #expect(!order.areInIncreasingOrder(b, a))
                for c in files where order.areInIncreasingOrder(b, c) { #expect(order.areInIncreasingOrder(a, c)) }
            }
        }
    }

    @Test func backwardsTurnsTheKeyAndNotTheTies() {
        var (a, b, c) = (file("a"), file("b"), file("c"))
        (a.size, b.size, c.size) = (1, 1, 2)
        var files = [b, c, a]
        FileObjectSorting(.size, ascending: false).sort(&files)
        #expect(files.map(\.name) == ["c", "a", "b"])
    }

    @Test func unknownTimesAreEarliest() {
        var (known, unknown) = (file("known"), file("unknown"))
        known.modificationTime = FileTime(seconds: -1_000_000)
        unknown.modificationTime = nil
        var files = [known, unknown]
        FileObjectSorting(.modifiedDate).sort(&files)
        #expect(files.map(\.name) == ["unknown", "known"])
    }

    @Test func directoriesComeFirstInEitherDirection() {
        for ascending in [true, false] {
            var files = [file("b"), FileObject(path: "z", type: .directory), file("c")]
            FileObjectSorting(.name, ascending: ascending, directoriesFirst: true).sort(&files)
            #expect(files.map(\.name) == (ascending ? ["z", "b", "c"] : ["z", "c", "b"]))
        }
    }

    @Test func extensionsCompareWithoutCase() {
        #expect(sorted(["a.TXT", "b.md", "c.txt", "d"], by: .extension) == ["d", "b.md", "a.TXT", "c.txt"])
    }

    private func sorted(_ names: [String], by key: FileObjectSorting.Key) -> [String] {
        sorted(names, by: FileObjectSorting(key))
    }

    private func sorted(_ names: [String], by order: FileObjectSorting) -> [String] {
        var files = names.map(file)
        order.sort(&files)
        return files.map(\.name)
    }

    private func file(_ name: String) -> FileObject {
        FileObject(name: ItemName(unchecked: Array(name.utf8)), in: .root, type: .regular)
    }
}
