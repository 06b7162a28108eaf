import FileProviding
import Foundation

extension CopyAndMoveCases {
    static func existing(_ kind: Kind) -> [ContractCase] {
        [
            ContractCase(.copyAndMove, "\(kind.rawValue) onto a file without overwrite keeps both", needs: kind.needs) {
                trial in
                try await arrangePair(trial)
                try await expectError(.exists) {
                    try await kind(trial.path("source"), to: trial.path("target"), in: trial)
                }
                try await expectPair(trial)
            },
            ContractCase(.copyAndMove, "\(kind.rawValue) onto a file with overwrite replaces it", needs: kind.needs) {
                trial in
                try await arrangePair(trial)
                try await kind(trial.path("source"), to: trial.path("target"), overwrite: true, in: trial)
                try await trial.expectFile(trial.path("target"), holds: Data("source".utf8))
                try await trial.expectEntries(
                    of: trial.directory, are: kind == .copy ? ["source", "target"] : ["target"])
            },
            ContractCase(.copyAndMove, "\(kind.rawValue) replaces only the expected version", needs: kind.needs) {
                trial in
                guard trial.expectations.checksExpectedVersions else { return }
                try await arrangePair(trial)
                try await trial.arrange(file: trial.path("other"), Data("some other file".utf8))
                let target = try await trial.provider.attributesOfItem(path: trial.path("target"))
                let options = OperationOptions(overwrite: true, expecting: target.version)
                try await trial.operations.run(
                    kind.operation(trial.path("source"), trial.path("target")), options: options)
                try await expectError(.changed) {
                    try await trial.operations.run(
                        kind.operation(trial.path("other"), trial.path("target")), options: options)
                }
                try await trial.expectFile(trial.path("target"), holds: Data("source".utf8))
                try await trial.expectFile(trial.path("other"), holds: Data("some other file".utf8))
            },
            ContractCase(.copyAndMove, "\(kind.rawValue) a file over a directory is refused", needs: kind.needs) {
                trial in
                try await trial.arrange(file: trial.path("file"), Data("file".utf8))
                try await trial.arrange(file: trial.path("directory/inside"), Data("inside".utf8))
                for overwrite in [false, true] {
                    try await expectError(overwrite ? .any : .exists, "overwrite: \(overwrite)") {
                        try await kind(trial.path("file"), to: trial.path("directory"), overwrite: overwrite, in: trial)
                    }
                }
                try await trial.expectFile(trial.path("file"), holds: Data("file".utf8))
                try await trial.expectFile(trial.path("directory/inside"), holds: Data("inside".utf8))
            },
            ContractCase(.copyAndMove, "\(kind.rawValue) a directory over a file is refused", needs: kind.needs) {
                trial in
                try await trial.arrange(file: trial.path("file"), Data("file".utf8))
                try await trial.arrange(file: trial.path("directory/inside"), Data("inside".utf8))
                for overwrite in [false, true] {
                    try await expectError(overwrite ? .any : .exists, "overwrite: \(overwrite)") {
                        try await kind(trial.path("directory"), to: trial.path("file"), overwrite: overwrite, in: trial)
                    }
                }
                try await trial.expectFile(trial.path("file"), holds: Data("file".utf8))
                try await trial.expectFile(trial.path("directory/inside"), holds: Data("inside".utf8))
            },
            ContractCase(.copyAndMove, "\(kind.rawValue) a directory over a directory is refused", needs: kind.needs) {
                trial in
                try await trial.arrange(file: trial.path("a/inside"), Data("a".utf8))
                try await trial.arrange(file: trial.path("b/kept"), Data("b".utf8))
                for overwrite in [false, true] {
                    try await expectError(overwrite ? .any : .exists, "overwrite: \(overwrite)") {
                        try await kind(trial.path("a"), to: trial.path("b"), overwrite: overwrite, in: trial)
                    }
                }
                try await trial.expectEntries(of: trial.path("a"), are: ["inside"])
                try await trial.expectEntries(of: trial.path("b"), are: ["kept"])
            },
        ]
    }

    static func refusals(_ kind: Kind) -> [ContractCase] {
        [
            ContractCase(.copyAndMove, "\(kind.rawValue) a file onto itself is refused", needs: kind.needs) { trial in
                try await trial.arrange(file: trial.path("file"), Data("kept".utf8))
                for overwrite in [false, true] {
                    try await expectError(.invalidArgument, "overwrite: \(overwrite)") {
                        try await kind(trial.path("file"), to: trial.path("file"), overwrite: overwrite, in: trial)
                    }
                }
                try await trial.expectFile(trial.path("file"), holds: Data("kept".utf8))
            },
            ContractCase(.copyAndMove, "\(kind.rawValue) a directory onto itself is refused", needs: kind.needs) {
                trial in
                try await trial.arrange(file: trial.path("d/file"), Data("kept".utf8))
                for overwrite in [false, true] {
                    try await expectError(.invalidArgument, "overwrite: \(overwrite)") {
                        try await kind(trial.path("d"), to: trial.path("d"), overwrite: overwrite, in: trial)
                    }
                }
                try await trial.expectFile(trial.path("d/file"), holds: Data("kept".utf8))
            },
            ContractCase(.copyAndMove, "\(kind.rawValue) a directory into itself is refused", needs: kind.needs) {
                trial in
                try await trial.arrange(file: trial.path("d/e/file"), Data("kept".utf8))
                for destination in ["d/new", "d/e/new", "d/e"] {
                    try await expectError(.invalidArgument, destination) {
                        try await kind(trial.path("d"), to: trial.path(destination), overwrite: true, in: trial)
                    }
                }
                try await trial.expectEntries(of: trial.path("d"), are: ["e"])
                try await trial.expectFile(trial.path("d/e/file"), holds: Data("kept".utf8))
            },
            ContractCase(.copyAndMove, "\(kind.rawValue) what is not there is no such file", needs: kind.needs) {
                trial in
                try await trial.arrange(file: trial.path("target"), Data("kept".utf8))
                for (source, overwrite) in [("missing", false), ("missing", true), ("missing/too", true)] {
                    try await expectError(.noSuchFile) {
                        try await kind(
                            trial.path(source), to: trial.path(overwrite ? "target" : "new"), overwrite: overwrite,
                            in: trial)
                    }
                }
                try await trial.expectFile(trial.path("target"), holds: Data("kept".utf8))
                try await trial.expectEntries(of: trial.directory, are: ["target"])
            },
            ContractCase(.copyAndMove, "\(kind.rawValue) to a missing parent is no such file", needs: kind.needs) {
                trial in
                try await trial.arrange(file: trial.path("file"), Data("kept".utf8))
                try await expectError(.noSuchFile) {
                    try await kind(trial.path("file"), to: trial.path("missing/file"), in: trial)
                }
                try await trial.expectFile(trial.path("file"), holds: Data("kept".utf8))
                try await trial.expectEntries(of: trial.directory, are: ["file"])
            },
            ContractCase(.copyAndMove, "\(kind.rawValue) the root is refused", needs: kind.needs) { trial in
                try await trial.arrange(file: trial.path("file"), Data("kept".utf8))
                try await expectError(.any) { try await kind(.root, to: trial.path("new"), in: trial) }
                try await expectError(.any) {
                    try await kind(trial.path("file"), to: .root, overwrite: true, in: trial)
                }
                try await trial.expectEntries(of: trial.directory, are: ["file"])
            },
        ]
    }

    private static func arrangePair(_ trial: ContractTrial) async throws {
        try await trial.arrange(file: trial.path("source"), Data("source".utf8))
        try await trial.arrange(file: trial.path("target"), Data("the old target".utf8))
    }

    private static func expectPair(_ trial: ContractTrial) async throws {
        try await trial.expectFile(trial.path("source"), holds: Data("source".utf8))
        try await trial.expectFile(trial.path("target"), holds: Data("the old target".utf8))
        try await trial.expectEntries(of: trial.directory, are: ["source", "target"])
    }
}
