/// Builds a canonical encoding of a description, which is the input of its fingerprint.
///
/// Each part is preceded by its length in UTF-8 bytes, so different sequences of parts never have
/// the same encoding. The encoding is the same on all platforms. It must never change, because
/// stores contain fingerprints.
package struct CanonicalText {
    /// The encoding so far, in UTF-8.
    package private(set) var bytes: [UInt8] = []

    /// Creates an empty encoding.
    package init() {}

    /// Appends a string.
    package mutating func add(_ text: String) {
        bytes.append(contentsOf: "\(text.utf8.count):".utf8)
        bytes.append(contentsOf: text.utf8)
    }

    /// Appends a Boolean.
    package mutating func add(_ flag: Bool) {
        add(flag ? "yes" : "no")
    }

    /// Appends an optional integer.
    package mutating func add(_ number: Int?) {
        add(number.map(String.init) ?? "none")
    }

    /// Appends an optional part.
    package mutating func add<Part>(_ part: Part?, _ write: (inout CanonicalText, Part) -> Void) {
        add(part == nil ? "none" : "some")
        if let part { write(&self, part) }
    }

    /// Appends the number of parts and the parts.
    package mutating func add<Part>(_ parts: [Part], _ write: (inout CanonicalText, Part) -> Void) {
        add(parts.count)
        for part in parts { write(&self, part) }
    }
}
