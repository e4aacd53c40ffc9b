/// The name of a tenant, and its form in the names of files and suites.
///
/// The form is the name with every byte outside `a-z 0-9 _ -` as `%XX`. It is reversible, and no two
/// names have the same form on file systems that ignore case or Unicode normalization.
package struct TenantName {
    /// The greatest number of UTF-8 bytes of a name. The form then fits into the name of a file.
    package static let longest = 60

    /// The form of the name.
    package let encoded: String

    /// Encodes a name.
    ///
    /// - Throws: `invalidIdentifier` if the name is empty or has more than ``longest`` bytes.
    package init(_ name: String) throws(CRUDRepositoryError) {
        guard (1...Self.longest).contains(name.utf8.count) else {
            throw CRUDRepositoryError(
                .invalidIdentifier,
                "The name of a tenant has 1 to \(Self.longest) bytes of UTF-8; this one has \(name.utf8.count)."
            )
        }
        encoded = Self.encode(name)
    }

    /// Returns the name with a form, or nil for a string that is not the form of a name.
    package static func decode(_ form: some StringProtocol) -> String? {
        guard let name = PercentEncoding.decode(form), (1...longest).contains(name.utf8.count),
            encode(name).utf8.elementsEqual(form.utf8)
        else { return nil }
        return name
    }

    private static func encode(_ name: String) -> String {
        PercentEncoding.encode(name) { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
    }
}
