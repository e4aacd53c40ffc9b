/// An element of an XML document: data models and property lists, which need no namespaces and no
/// entities of their own.
struct PlainXML {
    /// The name.
    let name: String
    /// The attributes by name.
    let attributes: [String: String]
    /// The elements inside.
    var children: [PlainXML] = []
    /// The text between the elements.
    var text = ""

    /// The elements inside that have a name.
    func children(_ name: String) -> [PlainXML] { children.filter { $0.name == name } }

    /// Reads a document.
    ///
    /// - Parameter bytes: the document in UTF-8.
    /// - Throws: ``CoreDataFileError`` if it is not well-formed.
    static func document(_ bytes: [UInt8]) throws(CoreDataFileError) -> PlainXML {
        var reader = PlainXMLReader(bytes: bytes)
        return try reader.document()
    }
}

private struct PlainXMLReader {
    /// The maximum depth of elements.
    private static let depth = 256
    private static let malformed = CoreDataFileError(.damaged, "The XML is not well-formed.")

    let bytes: [UInt8]
    var position = 0

    mutating func document() throws(CoreDataFileError) -> PlainXML {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        var open: [PlainXML] = []
        while position < bytes.count {
            guard bytes[position] == UInt8(ascii: "<") else {
                let text = try readText(until: UInt8(ascii: "<"))
                if !open.isEmpty { open[open.count - 1].text += text }
                continue
            }
            if skip("<!--") {
                try skip(through: "-->")
            } else if skip("<![CDATA[") {
                let start = position
                try skip(through: "]]>")
                guard !open.isEmpty else { throw Self.malformed }
                open[open.count - 1].text += String(
                    decoding: bytes[start..<position - 3], as: UTF8.self)
            } else if skip("<?") {
                try skip(through: "?>")
            } else if skip("<!") {
                // A document type: none with declarations inside is expected.
                let start = position
                try skip(through: ">")
                guard !bytes[start..<position].contains(UInt8(ascii: "[")) else {
                    throw Self.malformed
                }
            } else if skip("</") {
                let name = readName()
                skipSpace()
                guard skip(">"), let last = open.popLast(), last.name == name else {
                    throw Self.malformed
                }
                guard !open.isEmpty else { return last }
                open[open.count - 1].children.append(last)
            } else {
                position += 1
                let (element, isEmpty) = try readTag()
                guard open.count < Self.depth else { throw Self.malformed }
                if !isEmpty {
                    open.append(element)
                } else if open.isEmpty {
                    return element
                } else {
                    open[open.count - 1].children.append(element)
                }
            }
        }
        throw Self.malformed
    }

    private mutating func readTag() throws(CoreDataFileError) -> (PlainXML, isEmpty: Bool) {
        let name = readName()
        guard !name.isEmpty else { throw Self.malformed }
        var attributes: [String: String] = [:]
        while true {
            skipSpace()
            if skip("/>") { return (PlainXML(name: name, attributes: attributes), true) }
            if skip(">") { return (PlainXML(name: name, attributes: attributes), false) }
            let attribute = readName()
            skipSpace()
            guard !attribute.isEmpty, skip("=") else { throw Self.malformed }
            skipSpace()
            guard position < bytes.count, [0x22, 0x27].contains(bytes[position]) else {
                throw Self.malformed
            }
            let quote = bytes[position]
            position += 1
            attributes[attribute] = try readText(until: quote)
            guard position < bytes.count else { throw Self.malformed }
            position += 1
        }
    }

    /// Reads characters up to a byte, and replaces the references.
    private mutating func readText(until end: UInt8) throws(CoreDataFileError) -> String {
        var found: [UInt8] = []
        while position < bytes.count, bytes[position] != end {
            guard bytes[position] == UInt8(ascii: "&") else {
                found.append(bytes[position])
                position += 1
                continue
            }
            let window = bytes[position..<min(bytes.count, position + 12)]
            guard let stop = window.firstIndex(of: UInt8(ascii: ";")) else { throw Self.malformed }
            let name = String(decoding: bytes[position + 1..<stop], as: UTF8.self)
            found += try Self.character(name).utf8
            position = stop + 1
        }
        return String(decoding: found, as: UTF8.self)
    }

    private static func character(_ name: String) throws(CoreDataFileError) -> String {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            let number =
                name.hasPrefix("#x")
                ? UInt32(name.dropFirst(2), radix: 16)
                : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
            guard let scalar = number.flatMap(Unicode.Scalar.init) else { throw malformed }
            return String(Character(scalar))
        }
    }

    private mutating func readName() -> String {
        let start = position
        while position < bytes.count, !" \t\r\n/>=<\"'".utf8.contains(bytes[position]) {
            position += 1
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func skipSpace() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) {
            position += 1
        }
    }

    private mutating func skip(_ text: StaticString) -> Bool {
        let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        guard bytes[position...].starts(with: wanted) else { return false }
        position += wanted.count
        return true
    }

    private mutating func skip(through text: StaticString) throws(CoreDataFileError) {
        while position < bytes.count {
            if skip(text) { return }
            position += 1
        }
        throw Self.malformed
    }
}
