import FileProviding
import Foundation

/// Copying and moving within the provider: both follow the same rules, so each rule is tested for both.
enum CopyAndMoveCases {
    static let all = Kind.allCases.flatMap(shared) + copying + moving

    enum Kind: String, CaseIterable {
        case copy = "copying"
        case move = "moving"

        var needs: [ContractCapability] { [.reading, self == .copy ? .copying : .moving] }

        func callAsFunction(
            _ source: ItemPath, to destination: ItemPath, overwrite: Bool = false, in trial: ContractTrial
        ) async throws {
            switch self {
            case .copy: try await trial.operations.copyItem(path: source, to: destination, overwrite: overwrite)
            case .move: try await trial.operations.moveItem(path: source, to: destination, overwrite: overwrite)
            }
        }

        func operation(_ source: ItemPath, _ destination: ItemPath) -> FileOperationType {
            switch self {
            case .copy: .copy(source: source, destination: destination)
            case .move: .move(source: source, destination: destination)
            }
        }
    }

    private static func shared(_ kind: Kind) -> [ContractCase] { results(kind) + existing(kind) + refusals(kind) }

    private static func results(_ kind: Kind) -> [ContractCase] {
        [
            ContractCase(.copyAndMove, "\(kind.rawValue) a file gives the same bytes", needs: kind.needs) { trial in
                try await trial.arrange(file: trial.path("source"), sample(5_000))
                try await kind(trial.path("source"), to: trial.path("target"), in: trial)
                try await trial.expectFile(trial.path("target"), holds: sample(5_000))
                try await trial.expectEntries(
                    of: trial.directory, are: kind == .copy ? ["source", "target"] : ["target"])
            },
            ContractCase(.copyAndMove, "\(kind.rawValue) an empty file", needs: kind.needs) { trial in
                try await trial.arrange(file: trial.path("source"), Data())
                try await kind(trial.path("source"), to: trial.path("target"), in: trial)
                try await trial.expectFile(trial.path("target"), holds: Data())
            },
            ContractCase(.copyAndMove, "\(kind.rawValue) a directory takes everything below it", needs: kind.needs) {
                trial in
                let files = ["a", "e/b", "e/f/ü%20#", "e/f/g/c"]
                for file in files { try await trial.arrange(file: trial.path("source/\(file)"), Data(file.utf8)) }
                try await trial.arrange(directory: trial.path("source/empty"))
                try await kind(trial.path("source"), to: trial.path("target"), in: trial)
                for file in files { try await trial.expectFile(trial.path("target/\(file)"), holds: Data(file.utf8)) }
                try await trial.expectEntries(of: trial.path("target"), are: ["a", "e", "empty"])
                try await trial.expectEntries(
                    of: trial.directory, are: kind == .copy ? ["source", "target"] : ["target"])
            },
            ContractCase(.copyAndMove, "\(kind.rawValue) goes from directory to directory", needs: kind.needs) {
                trial in
                try await trial.arrange(file: trial.path("a/b/source"), Data("moved".utf8))
                try await trial.arrange(directory: trial.path("c/d"))
                try await kind(trial.path("a/b/source"), to: trial.path("c/d/target"), in: trial)
                try await trial.expectFile(trial.path("c/d/target"), holds: Data("moved".utf8))
                try await trial.expectEntries(of: trial.path("a/b"), are: kind == .copy ? ["source"] : [])
            },
            ContractCase(.copyAndMove, "\(kind.rawValue) a large file keeps it whole", needs: kind.needs) { trial in
                let mark = try await trial.arrangeLarge(trial.path("large"))
                try await kind(trial.path("large"), to: trial.path("target"), in: trial)
                let file = try await trial.provider.attributesOfItem(path: trial.path("target"))
                try expectEqual(file.size, trial.expectations.largeFile, "size")
                try expectEqual(try await trial.read(trial.path("target"), .last(Int64(mark.count))), mark)
            },
            ContractCase(
                .copyAndMove, "\(kind.rawValue) keeps names that need encoding on either side", needs: kind.needs
            ) {
                trial in
                try await trial.arrange(file: trial.path("a %41#é/source &+"), Data("odd".utf8))
                try await trial.arrange(directory: trial.path("b &=ü"))
                try await kind(trial.path("a %41#é/source &+"), to: trial.path("b &=ü/target %20+#"), in: trial)
                try await trial.expectFile(trial.path("b &=ü/target %20+#"), holds: Data("odd".utf8))
                try await trial.expectEntries(of: trial.path("b &=ü"), are: ["target %20+#"])
            },
        ]
    }

    private static let copying = [
        ContractCase(.copyAndMove, "a copy is independent of its source", needs: [.reading, .writing, .copying]) {
            trial in
            try await trial.write(trial.path("source"), Data("first".utf8))
            try await trial.operations.copyItem(path: trial.path("source"), to: trial.path("copy"))
            try await trial.write(trial.path("source"), Data("second".utf8), overwrite: true)
            try await trial.expectFile(trial.path("copy"), holds: Data("first".utf8))
            try await trial.write(trial.path("copy"), Data("third".utf8), overwrite: true)
            try await trial.expectFile(trial.path("source"), holds: Data("second".utf8))
        },
        ContractCase(
            .copyAndMove, "a copied directory is independent of its source", needs: [.reading, .writing, .copying]
        ) {
            trial in
            try await trial.arrange(file: trial.path("source/file"), Data("first".utf8))
            try await trial.operations.copyItem(path: trial.path("source"), to: trial.path("copy"))
            try await trial.write(trial.path("source/file"), Data("second".utf8), overwrite: true)
            try await trial.write(trial.path("source/new"), Data())
            try await trial.expectFile(trial.path("copy/file"), holds: Data("first".utf8))
            try await trial.expectEntries(of: trial.path("copy"), are: ["file"])
        },
        ContractCase(
            .copyAndMove, "a directory is copied beside one whose name begins alike", needs: [.reading, .copying]
        ) {
            trial in
            try await trial.arrange(file: trial.path("dir/file"), Data("d".utf8))
            try await trial.operations.copyItem(path: trial.path("dir"), to: trial.path("dir2"))
            try await trial.expectFile(trial.path("dir2/file"), holds: Data("d".utf8))
        },
    ]

    private static let moving = [
        ContractCase(.copyAndMove, "a moved source is gone", needs: [.moving]) { trial in
            try await trial.arrange(file: trial.path("d/file"))
            try await trial.operations.moveItem(path: trial.path("d"), to: trial.path("e"))
            try await trial.expectMissing(trial.path("d"))
            try await trial.expectMissing(trial.path("d/file"))
        },
        ContractCase(.copyAndMove, "a moved file keeps its modification time", needs: [.moving]) { trial in
            try await trial.arrange(file: trial.path("file"))
            let before = try await trial.provider.attributesOfItem(path: trial.path("file")).modificationTime
            try await trial.operations.moveItem(path: trial.path("file"), to: trial.path("moved"))
            let after = try await trial.provider.attributesOfItem(path: trial.path("moved")).modificationTime
            try expectEqual(after, before, "modification time")
        },
        ContractCase(.copyAndMove, "a directory moves up, out of its parent", needs: [.moving, .reading]) { trial in
            try await trial.arrange(file: trial.path("a/b/file"), Data("up".utf8))
            try await trial.operations.moveItem(path: trial.path("a/b"), to: trial.path("b"))
            try await trial.expectFile(trial.path("b/file"), holds: Data("up".utf8))
            try await trial.expectEntries(of: trial.path("a"), are: [])
        },
    ]
}
