import Hummingbird

/// An entity tag: the version of a record in quotes.
struct EntityTag: CustomStringConvertible {
    /// The version of the record.
    let version: Int

    /// Makes the tag of a version.
    init(_ version: Int) { self.version = version }

    /// Reads a tag; nil if it is none of this service.
    init?(_ text: String) {
        guard text.count > 2, text.hasPrefix("\""), text.hasSuffix("\""),
            let version = Int(text.dropFirst().dropLast())
        else { return nil }
        self.version = version
    }

    /// The tag as it is in a header.
    var description: String { "\"\(version)\"" }
}

extension Request {
    /// The tag that the record must have (`If-Match`); nil if the request names none, or `*`.
    var expectedTag: EntityTag? {
        get throws {
            guard let text = headers[.ifMatch], text != "*" else { return nil }
            guard let tag = EntityTag(text) else {
                // No record has this tag.
                throw HTTPError(.preconditionFailed)
            }
            return tag
        }
    }
}
