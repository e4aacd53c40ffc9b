/// A name that is compared by its UTF-8 bytes. `String` also equates texts with other bytes, such
/// as a composed and a decomposed `é`.
struct UTF8Name: Hashable {
    private let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }
}
