import FileProviding
import Foundation
import Glibc
import LocalFiles
import Testing

@Suite struct PartialWriteTests {
    let scratch: Scratch
    var provider: LocalFileProvider { scratch.provider }

    init() throws { scratch = try Scratch() }

    private func begin(
        _ path: ItemPath, length: Int64? = nil, resuming state: Data? = nil,
        _ options: OperationOptions = OperationOptions()
    ) async throws -> any ResumableUpload {
        let context = OperationContext(options: options)
        return try await provider.beginPartialWrite(path: path, length: length, resuming: state, in: context)
    }

    @Test(arguments: [true, false]) func inParts(flush: Bool) async throws {
        try scratch.put("old", at: "file")
        chmod(scratch.at("file"), 0o640)
        let options = OperationOptions(overwrite: true, flush: flush)
        let first = try await begin("file", length: 9, options)
        try await first.append(ByteStream("first"), in: OperationContext())
        #expect(first.acknowledged == 5)
        #expect(scratch.text("file") == "old")

        let second = try await begin("file", length: 9, resuming: first.saveState(), options)
        #expect(second.acknowledged == 5)
        try await second.append(ByteStream("last"), in: OperationContext())
        let file = try await second.commit(in: OperationContext(options: options))
        #expect(file.size == 9 && file.permissions == 0o640)
        #expect(scratch.text("file") == "firstlast")
        #expect(try scratch.names() == ["file"])
    }

    @Test func writtenDirectlyIntoTheFile() async throws {
        let upload = try await begin("file")
        let file = try #require(upload.localFile)
        try file.write(Data("0123456789 not acknowledged".utf8), at: 0)
        try await upload.acknowledge(upTo: 10)
        await #expect(throws: CocoaError.self) { try await upload.acknowledge(upTo: 1000) }
        _ = try await upload.commit(in: OperationContext())
        #expect(scratch.text("file") == "0123456789")
    }

    @Test(arguments: [true, false]) func whatHasComeMeanwhileIsNotReplaced(isKept: Bool) async throws {
        let upload = try await begin("file")
        try await upload.append(ByteStream("mine"), in: OperationContext())
        if isKept { _ = try upload.saveState() }
        try scratch.put("theirs", at: "file")
        await #expect {
            try await upload.commit(in: OperationContext())
        } throws: {
            $0.isFileExists
        }
        #expect(scratch.text("file") == "theirs")
    }

    @Test(arguments: [true, false]) func aFileThatHasLostBytesGetsNoName(isResumed: Bool) async throws {
        var upload = try await begin("file")
        try await upload.append(ByteStream("0123456789"), in: OperationContext())
        if isResumed { upload = try await begin("file", resuming: upload.saveState()) }
        #expect(upload.acknowledged == 10)
        ftruncate(try #require(upload.localFile).descriptor, 4)
        await #expect(throws: CocoaError.self) { try await upload.commit(in: OperationContext()) }
        #expect(try !scratch.names().contains("file"))
    }

    @Test func whatWasLostIsNotAcknowledged() async throws {
        let upload = try await begin("file")
        try await upload.append(ByteStream("0123456789"), in: OperationContext())
        ftruncate(try #require(upload.localFile).descriptor, 4)
        #expect(try await begin("file", resuming: upload.saveState()).acknowledged == 0)
    }

    @Test func anotherFileUnderTheTemporaryNameIsNotContinued() async throws {
        let upload = try await begin("file")
        try await upload.append(ByteStream("0123456789"), in: OperationContext())
        let state = try upload.saveState()
        let name = try #require(try scratch.names().first)
        #expect(name.hasPrefix(".fp-"))
        rename(scratch.at(name), scratch.at("kept"))
        try scratch.put("something else entirely", at: name)
        #expect(try await begin("file", resuming: state).acknowledged == 0)
        #expect(scratch.text(name) == "something else entirely")
    }

    @Test func aForgedStateReachesNoOtherFile() async throws {
        try scratch.put("0123456789", at: "victim")
        let upload = try await begin("file")
        try await upload.append(ByteStream("01234"), in: OperationContext())
        let state = try String(decoding: upload.saveState(), as: UTF8.self)
        let name = try #require(try scratch.names().first { $0.hasPrefix(".fp-") })
        let text = state.replacingOccurrences(of: name, with: "victim")
        #expect(try await begin("file", resuming: Data(text.utf8)).acknowledged == 0)
    }

    @Test func onlyWhatCouldBeContinuedOutlivesTheUpload() async throws {
        for isKept in [false, true] {
            let state = try await {
                let upload = try await begin("file")
                try await upload.append(ByteStream("01234"), in: OperationContext())
                return isKept ? try upload.saveState() : Data()
            }()
            #expect(try scratch.names().count == (isKept ? 1 : 0))
            #expect(try await begin("file", resuming: state).acknowledged == (isKept ? 5 : 0))
        }
    }

    @Test func aStateTakenTooLateKeepsNothing() async throws {
        let upload = try await begin("file")
        try await upload.append(ByteStream("01234"), in: OperationContext())
        try await upload.abort()
        #expect { try upload.saveState() } throws: { ($0 as? CocoaError)?.code == .fileNoSuchFile }
        #expect(try scratch.names().isEmpty)
    }

    @Test func whatTookLongGoesWhereThePathLeadsNow() async throws {
        try FileManager.default.createDirectory(atPath: scratch.at("folder"), withIntermediateDirectories: true)
        let upload = try await begin("folder/file")
        try await upload.append(ByteStream("01234"), in: OperationContext())
        _ = try upload.saveState()
        rename(scratch.at("folder"), scratch.at("old"))
        try FileManager.default.createDirectory(atPath: scratch.at("folder"), withIntermediateDirectories: true)
        _ = try await upload.commit(in: OperationContext())
        #expect(scratch.text("folder/file") == "01234")
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.at("old")).isEmpty)
    }

    @Test func roomForMoreThanCameIsGivenBack() async throws {
        let state = try await begin("file", length: 64 << 20).saveState()
        let upload = try await begin("file", length: 5, resuming: state)
        try await upload.append(ByteStream("01234"), in: OperationContext())
        _ = try await upload.commit(in: OperationContext())
        var status = stat()
        #expect(stat(scratch.at("file"), &status) == 0)
        #expect(status.st_blocks * 512 < 1 << 20)
    }

    @Test func abortedAndRefused() async throws {
        let upload = try await begin("file")
        try await upload.append(ByteStream("0123456789"), in: OperationContext())
        try await upload.abort()
        #expect(try scratch.names().isEmpty)
        try scratch.put("old", at: "file")
        #expect(await failure { try await begin("file") }?.isFileExists == true)
    }

    @Test func aFileThatAppearedMeanwhileStays() async throws {
        let upload = try await begin("file", length: 3)
        try await upload.append(ByteStream("new"), in: OperationContext())
        try scratch.put("old", at: "file")
        #expect(await failure { try await upload.commit(in: OperationContext()) }?.isFileExists == true)
        #expect(scratch.text("file") == "old")
        _ = try await upload.commit(in: OperationContext(options: OperationOptions(overwrite: true)))
        #expect(scratch.text("file") == "new")
    }

    @Test func incomplete() async throws {
        let upload = try await begin("file", length: 10)
        try await upload.append(ByteStream("0123"), in: OperationContext())
        let message = await message { try await upload.commit(in: OperationContext()) }
        #expect(message.contains("10 bytes were announced, but 4 came"))
    }
}
