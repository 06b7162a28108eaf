#if Thumbnails
import CThumbnails
import FileProviding
import Foundation

/// Decodes pictures with libvips: JPEG, PNG, WebP, HEIF, GIF, TIFF, SVG and the pages of PDF.
///
/// A file that claims to have more than 100 million pixels is refused before it is decoded. Shrinking happens while
/// lines are decoded, with one thread per picture, and is aborted after 20 seconds, as far as libvips checks for it.
/// Formats that are decoded as a whole picture (HEIF, interlaced PNG, progressive JPEG) are limited by the pixels
/// alone: about 640 MB at most, one such picture at a time.
enum Pictures {
    private static let limits = FPPictureLimits(pixels: 100_000_000, seconds: 20)

    static let extensions = [
        "jpg", "jpeg", "jpe", "png", "webp", "heic", "heif", "avif", "gif", "tif", "tiff", "svg", "pdf",
    ]

    /// Makes a thumbnail of a page of an open file, counted from 0.
    static func thumbnail(of file: LocalFileHandle, page: Int = 0, within size: PixelSize) throws -> Thumbnail {
        try picture { picture, message in
            fp_picture_make(
                file.descriptor, Int32(clamping: page), Int32(clamping: size.width), Int32(clamping: size.height),
                limits, picture, message)
        }
    }

    /// Scales down a picture in memory.
    static func shrink(_ bytes: [UInt8], to size: PixelSize) throws -> Thumbnail {
        try bytes.withUnsafeBytes { buffer in
            try picture { picture, message in
                fp_picture_shrink(
                    buffer.baseAddress, buffer.count, Int32(clamping: size.width), Int32(clamping: size.height), limits,
                    picture, message)
            }
        }
    }

    /// Returns the fields of an open file's header, by libvips' names.
    static func fields(of file: LocalFileHandle) throws -> [String: String] {
        var message = [CChar](repeating: 0, count: Int(FP_MESSAGE_LENGTH))
        let fields = FieldCollector()
        let outcome = fp_picture_describe(
            file.descriptor, FieldCollector.receive, Unmanaged.passUnretained(fields).toOpaque(), &message)
        try check(outcome, message)
        return fields.values
    }

    private static func picture(
        _ make: (UnsafeMutablePointer<FPPicture>, UnsafeMutablePointer<CChar>) -> FPPictureOutcome
    ) throws -> Thumbnail {
        var picture = FPPicture()
        defer { fp_picture_free(&picture) }
        var message = [CChar](repeating: 0, count: Int(FP_MESSAGE_LENGTH))
        try check(make(&picture, &message), message)
        return Thumbnail(
            data: Array(UnsafeRawBufferPointer(start: picture.bytes, count: picture.length)),
            mediaType: picture.isPNG != 0 ? "image/png" : "image/jpeg",
            size: PixelSize(width: Int(picture.width), height: Int(picture.height)))
    }

    private static func check(_ outcome: FPPictureOutcome, _ message: [CChar]) throws {
        let text = String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        switch outcome {
        case FPPictureDone: return
        case FPPictureUnknownType: throw InformationProblem.unknownType
        case FPPictureTooLarge: throw InformationProblem.tooLarge(text)
        case FPPictureNoLibrary: throw InformationProblem.noLibrary("libvips")
        case FPPictureTimedOut: throw InformationProblem.timedOut
        default: throw InformationProblem.damaged(text)
        }
    }
}

extension LocalFileInformationGenerator {
    mutating func addPictures() {
        addThumbnails(for: Pictures.extensions) { file, size in
            try await LocalThreads.run { try Pictures.thumbnail(of: file, within: size) }
        }
        addProperties(for: Pictures.extensions) { file in
            try await LocalThreads.run { PictureProperties.properties(try Pictures.fields(of: file)) }
        }
    }
}

/// Collects fields passed from C.
final class FieldCollector {
    private(set) var values: [String: String] = [:]

    static let receive: FPFieldReceiver = { context, name, value in
        guard let context, let name, let value else { return }
        Unmanaged<FieldCollector>.fromOpaque(context).takeUnretainedValue().values[String(cString: name)] =
            String(cString: value)
    }
}
#endif
