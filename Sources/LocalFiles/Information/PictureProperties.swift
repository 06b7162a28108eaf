import FileProviding
import Foundation

/// The metadata in a picture's or PDF's header, in words and in the order in which it is displayed.
enum PictureProperties {
    /// The fields of libvips (EXIF 2.32 by directory and tag; PDF's information dictionary), and their display names.
    private static let names: [(field: String, key: String)] = [
        ("pdf-title", "Title"), ("pdf-author", "Author"), ("pdf-subject", "Subject"), ("pdf-keywords", "Keywords"),
        ("pdf-creator", "Creator"), ("pdf-producer", "Producer"), ("pdf-creation-date", "Created"),
        ("exif-ifd0-ImageDescription", "Description"), ("exif-ifd0-Artist", "Artist"),
        ("exif-ifd0-Copyright", "Copyright"), ("exif-ifd0-Make", "Camera maker"), ("exif-ifd0-Model", "Camera"),
        ("exif-ifd2-LensModel", "Lens"), ("exif-ifd2-DateTimeOriginal", "Date taken"),
        ("exif-ifd2-ExposureTime", "Exposure time"), ("exif-ifd2-FNumber", "Aperture"),
        ("exif-ifd2-ISOSpeedRatings", "ISO"), ("exif-ifd2-FocalLength", "Focal length"),
        ("exif-ifd2-Flash", "Flash"), ("exif-ifd0-Orientation", "Orientation"), ("exif-ifd0-Software", "Software"),
        ("exif-ifd3-GPSLatitude", "Latitude"), ("exif-ifd3-GPSLatitudeRef", "Latitude reference"),
        ("exif-ifd3-GPSLongitude", "Longitude"), ("exif-ifd3-GPSLongitudeRef", "Longitude reference"),
        ("exif-ifd3-GPSAltitude", "Altitude"),
    ]

    static func properties(_ fields: [String: String]) -> FileProperties {
        var properties: [FileProperties.Property] = []
        if let width = fields["width"], let height = fields["height"] {
            properties.append(.init(key: "Dimensions", value: "\(width) × \(height)"))
        }
        if let pages = fields["n-pages"], pages != "1" { properties.append(.init(key: "Pages", value: pages)) }
        for (field, key) in names {
            guard let raw = fields[field] else { continue }
            let value = field.hasPrefix("exif-") ? shown(raw) : raw
            if !value.isEmpty { properties.append(.init(key: key, value: value)) }
        }
        return FileProperties(properties)
    }

    /// Returns the readable part of `28/10 (f/2.8, Rational, 1 components, 8 bytes)`: all but the last three items in
    /// parentheses.
    static func shown(_ raw: String) -> String {
        guard raw.hasSuffix(")"), let type = raw.range(of: " components, ", options: .backwards) else { return raw }
        let parts = raw[..<type.lowerBound].components(separatedBy: ", ").dropLast(2).joined(separator: ", ")
        // The text before the parenthesis is repeated within it, and may contain parentheses of its own.
        let brackets = parts.ranges(of: " (")
        let own = brackets.first { parts[..<$0.lowerBound] == parts[$0.upperBound...] }
        guard let bracket = own ?? brackets.first else { return raw }
        return parts[bracket.upperBound...].trimmingCharacters(in: .whitespaces)
    }
}
