/// A text that is compared by its UTF-8 bytes; Swift's own comparison takes two Unicode forms of a text for one.
struct TextKey: Hashable, Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: Self, right: Self) -> Bool {
        String.isSameIdentifier(left.text, right.text)
    }

    func hash(into hasher: inout Hasher) { text.hashIdentifier(into: &hasher) }
}
