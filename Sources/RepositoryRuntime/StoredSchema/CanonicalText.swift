/// Text that is the same for the same parts on every platform, and different for different ones:
/// each part stands after its length.
struct CanonicalText {
    private(set) var bytes: [UInt8] = []

    mutating func add(_ text: String) {
        bytes.append(contentsOf: "\(text.utf8.count):".utf8)
        bytes.append(contentsOf: text.utf8)
    }

    mutating func add(_ flag: Bool) {
        add(flag ? "yes" : "no")
    }

    mutating func add(_ number: Int?) {
        add(number.map(String.init) ?? "none")
    }

    mutating func add<Part>(_ part: Part?, _ write: (inout CanonicalText, Part) -> Void) {
        add(part == nil ? "none" : "some")
        if let part { write(&self, part) }
    }

    mutating func add<Part>(_ parts: [Part], _ write: (inout CanonicalText, Part) -> Void) {
        add(parts.count)
        for part in parts { write(&self, part) }
    }
}
