internal import Foundation

extension PlainValue {
    /// Reads a property list, binary or XML.
    ///
    /// - Throws: ``CoreDataFileError`` if it is not well-formed.
    init(propertyList bytes: [UInt8]) throws(CoreDataFileError) {
        var budget = PlainBudget(byteCount: bytes.count)
        if bytes.starts(with: "bplist".utf8) {
            let list = try BinaryPropertyList(bytes)
            self = try Self.value(list.top, list, &budget)
        } else {
            let root = try PlainXML.document(bytes)
            guard root.name == "plist", let first = root.children.first else {
                throw CoreDataFileError(.damaged, "The XML is not a property list.")
            }
            self = try Self.value(first)
        }
    }

    private static func value(
        _ number: Int, _ list: BinaryPropertyList, _ budget: inout PlainBudget
    ) throws(CoreDataFileError) -> PlainValue {
        try budget.enter()
        defer { budget.leave() }
        func values(
            _ numbers: [Int], _ budget: inout PlainBudget
        ) throws(CoreDataFileError) -> [PlainValue] {
            var found: [PlainValue] = []
            for number in numbers { found.append(try value(number, list, &budget)) }
            return found
        }
        switch try list.object(number) {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .integer(let value): return .integer(value)
        case .real(let value): return .double(value)
        case .date(let value): return .date(value)
        case .data(let value): return .data(value)
        case .string(let value): return .string(value)
        case .reference(let value):
            return .dictionary([PlainPair(key: .string("$uid"), value: .integer(Int128(value)))])
        case .list(let numbers): return .list(try values(numbers, &budget))
        case .set(let numbers): return .set(try values(numbers, &budget))
        case .dictionary(let keys, let contents):
            let keys = try values(keys, &budget)
            return .dictionary(
                zip(keys, try values(contents, &budget)).map { PlainPair(key: $0, value: $1) })
        }
    }

    /// Returns the value of an element of an XML property list.
    private static func value(_ element: PlainXML) throws(CoreDataFileError) -> PlainValue {
        let malformed = CoreDataFileError(.damaged, "The XML is not a property list.")
        let text = element.text
        switch element.name {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "string": return .string(text)
        case "integer":
            let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
            guard let value = Int128(trimmed) else { throw malformed }
            return .integer(value)
        case "real":
            let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
            guard let value = Double(trimmed) else { throw malformed }
            return .double(value)
        case "date":
            guard let date = try? Date(text, strategy: .iso8601) else { throw malformed }
            return .date(date.timeIntervalSinceReferenceDate)
        case "data":
            guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
                throw malformed
            }
            return .data(data)
        case "array":
            var found: [PlainValue] = []
            for child in element.children { found.append(try value(child)) }
            return .list(found)
        case "dict":
            guard element.children.count.isMultiple(of: 2) else { throw malformed }
            var pairs: [PlainPair] = []
            for index in stride(from: 0, to: element.children.count, by: 2) {
                guard element.children[index].name == "key" else { throw malformed }
                pairs.append(
                    PlainPair(
                        key: .string(element.children[index].text),
                        value: try value(element.children[index + 1])))
            }
            return .dictionary(pairs)
        default: throw malformed
        }
    }
}
