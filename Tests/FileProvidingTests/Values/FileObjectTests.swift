import Foundation
import Testing

@testable import FileProviding

@Suite struct FileObjectTests {
    @Test func isKnownByItsParentAndName() throws {
        let file = FileObject(name: try ItemName(validating: "c"), in: "a/b", type: .regular)
        #expect(file.path == "a/b/c" && file.name == "c" && file.isRegularFile)
        #expect(file.size == nil && file.modificationTime == nil && file.etag == nil && file.fileID == nil)
    }

    @Test func theRootHasNoName() {
        let root = FileObject(path: .root, type: .directory)
        #expect(root.path.isRoot && root.name.isEmpty && root.isDirectory)
    }

    @Test func anIdentifierKeepsItsPathAndItsName() throws {
        let file = FileObject(path: "id:abcd", name: try ItemName(validating: "name.txt"), type: .regular)
        #expect(file.path == "id:abcd" && file.path.isIdentifier && file.name == "name.txt")
    }

    @Test func changingACopyLeavesTheOriginal() {
        var original = FileObject(path: "a", type: .regular)
        original.size = 1
        original.fileID = "1"
        original.checksums = [Checksum(.md5, hex: "AB")]
        var copy = original
        copy.size = 2
        copy.fileID = "2"
        copy.etag = ETag(rawValue: "\"x\"")
        copy.checksums = []
        copy.type = .directory
        copy.modificationTime = FileTime(nanoseconds: 5)
        copy[FileAttributeKey<Int>("width")] = 7
        #expect(original.size == 1 && original.fileID == "1" && original.etag == nil && original.type == .regular)
        #expect(original.checksums.count == 1 && original.modificationTime == nil)
        #expect(original[FileAttributeKey<Int>("width")] == nil && copy[FileAttributeKey<Int>("width")] == 7)
        #expect(copy.size == 2 && copy.fileID == "2" && copy != original)
    }

    @Test func valuesCanBeTakenBack() {
        var file = FileObject(path: "a", type: .regular)
        file.size = 5
        file.size = nil
        file.permissions = 0o644
        file.permissions = nil
        file.modificationTime = FileTime(nanoseconds: 1)
        file.modificationTime = nil
        #expect(file.size == nil && file.permissions == nil && file.modificationTime == nil)
        #expect(file == FileObject(path: "a", type: .regular))
    }

    @Test func isKnownUnderAnotherPath() throws {
        var file = FileObject(path: "a/b", type: .regular)
        file.size = 3
        #expect(file.relocated(to: "c/d").path == "c/d" && file.relocated(to: "c/d").name == "d")
        #expect(file.relocated(to: "c/d").size == 3 && file.path == "a/b")
        #expect(file.relocated(to: .root).path.isRoot && file.relocated(to: .root).name.isEmpty)
        #expect(file.relocated(to: "id:abcd").path == "id:abcd" && file.relocated(to: "id:abcd").name == "b")
        #expect(file.relocated(to: "id:abcd").relocated(to: "e").path == "e")
    }

    @Test func saysWhetherItIsHiddenOrReadOnly() {
        var file = FileObject(path: "a/.b", type: .regular)
        #expect(file.isHidden && file.isReadOnly == nil)
        file.isHidden = false
        file.permissions = 0o444
        #expect(!file.isHidden && file.isReadOnly == true)
        file.permissions = 0o644
        #expect(file.isReadOnly == false)
    }

    @Test func aTypedKeyGivesItsTypeOnly() {
        var file = FileObject(path: "a", type: .regular)
        file[FileAttributeKey<Int>("x")] = 1
        #expect(file[FileAttributeKey<String>("x")] == nil && file[FileAttributeKey<Int>("x")] == 1)
        file[FileAttributeKey<Int>("x")] = nil
        #expect(file.customAttributes.isEmpty)
    }

    @Test func itsValuesHaveFoundationsKeys() {
        var file = FileObject(path: "a/b", type: .regular)
        file.size = 9
        file.modificationTime = FileTime(seconds: 1_000)
        #expect(file.allValues[.nameKey] as? String == "b" && file.allValues[.pathKey] as? String == "/a/b")
        #expect(file.allValues[.fileSizeKey] as? Int64 == 9)
        #expect(file.allValues[.contentModificationDateKey] as? Date == Date(timeIntervalSince1970: 1_000))
        #expect(file.allValues[.entryTagKey] == nil)
    }

    @Test func itsTextsStayWhenOneOfThemChanges() {
        var file = FileObject(path: "a/b", type: .regular)
        file.contentType = "image/jpeg"
        file.etag = ETag(rawValue: "")
        file.fileID = "7"
        let before = file
        file.etag = ETag(rawValue: "W/\"é\"")
        #expect(before.etag == ETag(rawValue: "") && file.etag == ETag(rawValue: "W/\"é\""))
        file.contentType = nil
        let moved = file.relocated(to: "longer/name")
        #expect(moved.name == "name" && moved.etag == file.etag && moved.contentType == nil && moved.fileID == "7")
        #expect(before.name == "b" && before.contentType == "image/jpeg" && before.path == "a/b")
    }

    @Test("a listing's entry is one block of memory")
    func size() throws {
        var file = FileObject(
            name: try ItemName(validating: "IMG_0001.jpeg"), in: "photos/2026", type: .regular,
            etag: ETag(rawValue: "\"5f3a-62b1c0de4d2e1\""), contentType: "image/jpeg")
        file.size = 24_000
        file.modificationTime = FileTime(seconds: 1_000)
        file.creationTime = FileTime(seconds: 1_000)
        #expect(file.storage.header.details == nil)
        // The object's head, the fields, and the bytes that the allocation has room for.
        #expect(16 + MemoryLayout<FileObject.Fields>.size + file.storage.capacity <= 136)
    }

    @Test func versionsAreToldApartByTagElseBySizeAndTime() {
        var file = FileObject(path: "a", type: .regular)
        file.size = 9
        file.modificationTime = FileTime(seconds: 1_000)
        let untagged = file.version
        file.etag = ETag(rawValue: "W/\"1\"")
        let weak = file.version
        file.etag = ETag(rawValue: "\"1\"")
        #expect(weak.matches(file) && untagged.matches(file))
        file.size = 10
        #expect(weak.matches(file) && !untagged.matches(file))
        file.etag = ETag(rawValue: "\"2\"")
        #expect(!weak.matches(file))
    }
}
