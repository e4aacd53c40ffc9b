internal import Foundation
internal import RepositoryRuntime

/// A cell of a CSV line. An empty one without quotes is null.
struct CSVCell {
    var text: String
    var isQuoted: Bool
    var isNull: Bool { text.isEmpty && !isQuoted }
}

/// Decodes the fields of a record from the cells of a CSV line, by the order of the layout.
struct CSVDecoder: FieldDecoder {
    let cells: [CSVCell]
    let layout: FieldLayout

    private func failure(_ index: Int, _ kind: String) -> RecordDecodingError {
        .inside(layout.fields[index], RecordDecodingError("is not \(kind)", isMismatch: true))
    }

    private func text(at index: Int) throws -> String {
        if cells[index].isNull { throw failure(index, "there, and is required") }
        return cells[index].text
    }

    private func value<R>(_ index: Int, _ kind: String, _ parse: (String) -> R?) throws -> R {
        guard let value = parse(try text(at: index)) else { throw failure(index, kind) }
        return value
    }

    mutating func contains(at index: Int) throws -> Bool { true }
    mutating func decodeNil(at index: Int) throws -> Bool { cells[index].isNull }
    mutating func decodeBool(at index: Int) throws -> Bool {
        try value(index, "'true' or 'false'") {
            switch $0.lowercased() {
            case "true", "1": true
            case "false", "0": false
            default: nil
            }
        }
    }
    mutating func decodeInteger(at index: Int) throws -> Int64 {
        try value(index, "an integer") { Int64($0) }
    }
    mutating func decodeFloat(at index: Int) throws -> Float {
        try value(index, "a number") { Float($0).flatMap { $0.isFinite ? $0 : nil } }
    }
    mutating func decodeDouble(at index: Int) throws -> Double {
        try value(index, "a number") { Double($0).flatMap { $0.isFinite ? $0 : nil } }
    }
    mutating func decodeDecimal(at index: Int) throws -> Decimal {
        try value(index, "a decimal number") { text in
            // `Decimal` reads the start of a text such as `1x`.
            guard !text.isEmpty, text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) })
            else {
                return nil
            }
            return Decimal(string: text)
        }
    }
    mutating func decodeDate(at index: Int) throws -> Date {
        try value(index, "a date") { text in
            StoredDate.date(text: text) ?? Int64(text).map { StoredDate.date(microseconds: $0) }
        }
    }
    mutating func decodeUUID(at index: Int) throws -> UUID {
        try value(index, "a UUID") { UUID(uuidString: $0) }
    }
    mutating func decodeURL(at index: Int) throws -> URL {
        try value(index, "a URL") { URL(string: $0) }
    }
    mutating func decodeString(at index: Int) throws -> String { try text(at: index) }
    mutating func decodeData(at index: Int) throws -> Data {
        try value(index, "Base64") { Data(base64Encoded: $0) }
    }
    mutating func decodeComposite<V: CompositeEntityID>(_ type: V.Type, at index: Int) throws -> V {
        try json(type, at: index)
    }
    mutating func decodeObject<V: EmbeddedValue>(_ type: V.Type, at index: Int) throws -> V {
        try json(type, at: index)
    }
    mutating func decodeList<V: FieldValue>(_ type: V.Type, at index: Int) throws -> [V] {
        try json([V].self, at: index)
    }
    mutating func decodeMap<V: FieldValue>(_ type: V.Type, at index: Int) throws -> [String: V] {
        try json([String: V].self, at: index)
    }

    private func json<V: FieldValue>(_ type: V.Type, at index: Int) throws -> V {
        do {
            return try JSONFieldText.decode(type, from: text(at: index))
        } catch {
            throw RecordDecodingError.inside(layout.fields[index], error)
        }
    }
}

/// Reads the lines of a CSV file (RFC 4180), with line feeds inside quotes, and a byte order mark.
struct CSVReader {
    private var file: ByteFile
    /// The number of the line at which the last row began.
    private(set) var lineNumber = 0
    private var nextLine = 1

    init(_ url: URL) throws {
        file = try ByteFile(url)
        if try file.peek() == 0xEF { for _ in 0..<3 { _ = try file.next() } }
    }

    /// Returns the cells of the next row; nil at the end.
    ///
    /// - Throws: `RecordDecodingError` for quotes that do not end, or are not at the start of a cell,
    ///   and text that is not UTF-8.
    mutating func row() throws -> [CSVCell]? {
        guard try file.peek() != nil else { return nil }
        lineNumber = nextLine
        var cells: [CSVCell] = []
        var (bytes, isQuoted, problem) = ([UInt8](), false, String?.none)
        func cell() -> CSVCell {
            if let text = String(validating: bytes, as: UTF8.self) {
                return CSVCell(text: text, isQuoted: isQuoted)
            }
            problem = problem ?? "is not UTF-8"
            return CSVCell(text: "", isQuoted: true)
        }
        while true {
            let byte = try file.next()
            switch byte {
            case nil, 0x0A:
                if byte != nil { nextLine += 1 }
                if !isQuoted, bytes.last == 0x0D { bytes.removeLast() }
                cells.append(cell())
                if let problem { throw RecordDecodingError(problem) }
                return cells
            case UInt8(ascii: ","):
                cells.append(cell())
                (bytes, isQuoted) = ([], false)
            case UInt8(ascii: "\"") where bytes.isEmpty && !isQuoted:
                isQuoted = true
                if try !readQuoted(&bytes) { problem = "has quotes that do not end" }
            case 0x0D where isQuoted: continue
            case let byte?:
                if isQuoted { problem = problem ?? "has text after closing quotes" }
                bytes.append(byte)
            }
        }
    }

    /// Reads up to the closing quotes. Returns false if there are none.
    private mutating func readQuoted(_ bytes: inout [UInt8]) throws -> Bool {
        while let byte = try file.next() {
            if byte == 0x0A { nextLine += 1 }
            guard byte == UInt8(ascii: "\"") else {
                bytes.append(byte)
                continue
            }
            guard try file.peek() == UInt8(ascii: "\"") else { return true }
            _ = try file.next()
            bytes.append(byte)
        }
        return false
    }
}
