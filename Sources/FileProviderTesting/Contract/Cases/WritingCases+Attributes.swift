import FileProviding
import Foundation

extension WritingCases {
    static let attributes = [
        ContractCase(.writing, "what writing returns is true, and says the size", needs: [.writing]) {
            trial in
            for (name, overwrite) in [("new", false), ("new", true)] {
                let written = try await trial.write(trial.path(name), sample(777), overwrite: overwrite)
                try expectEqual(written.size, 777, "the size that writing returned")
                try expectTrue(written, of: try await trial.provider.attributesOfItem(path: trial.path(name)))
            }
        },
        ContractCase(.writing, "a modification time that is given is kept", needs: [.writing]) { trial in
            let characteristics = try await trial.provider.characteristics(path: trial.directory)
            let (told, earliest) = (characteristics.settableTimePrecision, characteristics.earliestSettableTime)
            try expectEqual(told, trial.expectations.settableTimePrecision, "the settable precision that is told")
            try expectEqual(earliest, trial.expectations.earliestSettableTime, "the earliest time that is told")
            for (index, nanoseconds) in [981_173_106_123_456_789, 1_700_000_000_999_999_999, 1_000_000_000].enumerated()
            {
                let (path, time) = (trial.path("file \(index)"), FileTime(nanoseconds: Int64(nanoseconds)))
                let options = OperationOptions(attributes: ItemAttributes(modificationTime: time))
                let written = try await trial.readWrite.write(path: path, from: ByteStream(sample(5)), options: options)
                let file = try await trial.provider.attributesOfItem(path: path)
                if let told = written.modificationTime {
                    try expectEqual(told, file.modificationTime, "the time that writing returned")
                }
                guard let told, let kept = file.modificationTime, characteristics.isSettable(time) else { continue }
                try expect(
                    (kept.nanoseconds - time.nanoseconds).magnitude < told.magnitude,
                    "\(time.nanoseconds) became \(kept.nanoseconds), precision \(told)")
            }
        },
        ContractCase(.writing, "a replaced file has its new modification time", needs: [.writing]) { trial in
            let time = FileTime(seconds: 1_234_567_890)
            try await trial.write(trial.path("file"), sample(5))
            try await trial.readWrite.write(
                path: trial.path("file"), from: ByteStream(sample(6)),
                options: OperationOptions(overwrite: true, attributes: ItemAttributes(modificationTime: time)))
            let file = try await trial.provider.attributesOfItem(path: trial.path("file"))
            // Even if nothing is promised, a time may be kept.
            guard trial.expectations.settableTimePrecision != nil else { return }
            try expectEqual(file.modificationTime?.seconds, time.seconds, "seconds of the time")
        },
        ContractCase(.writing, "permissions that are given are kept where there are any", needs: [.writing]) { trial in
            let told = try await trial.provider.characteristics(path: trial.directory).keepsPermissions
            try expectEqual(told, trial.expectations.keepsPermissions, "whether permissions are kept, as told")
            for permissions in [0o600, 0o755] as [UInt16] {
                let path = trial.path("file \(permissions)")
                let written = try await trial.readWrite.write(
                    path: path, from: ByteStream(sample(5)),
                    options: OperationOptions(attributes: ItemAttributes(permissions: permissions)))
                let file = try await trial.provider.attributesOfItem(path: path)
                try expectTrue(written, of: file)
                if told { try expectEqual(file.permissions, permissions, "permissions") }
            }
        },
    ]
}
