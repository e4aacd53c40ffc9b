internal import Foundation

/// What indexes kept in documents say of themselves: of which form they are and which records they cover.
struct DocumentIndexState: Equatable {
    private static let mark = Array("RIS1".utf8)

    /// The hash of everything that the keys depend on.
    var fingerprint: String
    /// Another number after every change.
    var revision: UInt64
    /// How many documents there are.
    var count = 0
    /// The sum of the hashes of their keys, whatever their order.
    var sum: UInt64 = 0

    init(fingerprint: String) {
        self.fingerprint = fingerprint
        revision = .random(in: .min ... .max)
    }

    /// Reads a state; nil for bytes that are not as they were written.
    init?(_ data: Data) {
        guard var reader = IndexBytesReader(data, Self.mark), let text = reader.text(),
            let revision = reader.word(), let count = reader.number(), let sum = reader.word(),
            reader.isAtEnd
        else { return nil }
        fingerprint = String(decoding: text, as: UTF8.self)
        self.revision = revision
        self.count = count
        self.sum = sum
    }

    /// The state as bytes.
    var data: Data {
        var writer = IndexBytesWriter(Self.mark)
        writer.append(Array(fingerprint.utf8))
        writer.append(word: revision)
        writer.append(count)
        writer.append(word: sum)
        return writer.data()
    }

    /// Counts a document in.
    mutating func add(_ key: String) {
        count += 1
        sum &+= Self.hash(key)
    }

    /// Counts a document out.
    mutating func remove(_ key: String) {
        count -= 1
        sum &-= Self.hash(key)
    }

    /// Counts the documents that there are.
    init(fingerprint: String, of collection: String, _ driver: any DocumentDriver) throws {
        var counted = Self(fingerprint: fingerprint)
        try driver.visitKeys(in: collection) { counted.add($0) }
        self = counted
    }

    /// Whether it covers the documents that another covers.
    func covers(_ other: DocumentIndexState) -> Bool { count == other.count && sum == other.sum }

    private static func hash(_ key: String) -> UInt64 {
        var word = IndexBytesWriter.checksum(Array(key.utf8)[...])
        // Mixed, because the sum of hashes of like keys would often be that of others.
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }
}

extension EntityTable {
    /// The hash of what the keys of the table's indexes depend on.
    ///
    /// - Parameter format: the format of the records.
    func indexFingerprint(format: String) -> String {
        var text = CanonicalText()
        text.add(format)
        func add(_ field: Int) {
            let description = layout.fields[field]
            text.add(description.name)
            StoredShape(description.type).write(to: &text)
            text.add(description.defaultValue.map(StoredConstant.init)) {
                $1.value.write(to: &$0)
            }
        }
        for field in key { add(field) }
        for index in indexes {
            text.add("index")
            for key in index.keys {
                add(key.field)
                text.add(key.descending)
                if ignoresCase(key.field) { text.add("folded") }
            }
            if let condition = index.condition {
                text.add("where")
                text.add(condition.storedText(in: layout))
            }
        }
        for (field, _) in keptReferences {
            text.add("reference")
            add(field)
        }
        return SHA256.hexadecimal(text.bytes)
    }
}
