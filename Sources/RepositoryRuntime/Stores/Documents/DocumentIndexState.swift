internal import Foundation
internal import StoredSchema

/// The header of indexes stored in documents: the definition they were built for and the records
/// they cover.
///
/// A stored state is the mark `RIS1`, the fields, and a checksum.
struct DocumentIndexState: Equatable {
    /// The first bytes of a stored state, with the version of its encoding.
    private static let mark = Array("RIS1".utf8)

    /// A hash of everything that determines the keys; see
    /// ``EntityTable/indexFingerprint(format:)``.
    var fingerprint: String
    /// A random number that differs after every change of the indexes, so that readers detect
    /// changes even without stamps.
    var revision: UInt64
    /// The number of documents.
    var count = 0
    /// The sum of the hashes of the documents' keys, modulo 2⁶⁴. It does not depend on their order.
    var sum: UInt64 = 0

    /// Creates the state of an empty collection.
    init(fingerprint: String) {
        self.fingerprint = fingerprint
        revision = .random(in: .min ... .max)
    }

    /// Decodes a state. Returns nil if the bytes are damaged or have another encoding.
    ///
    /// The checksum of the bytes is verified.
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

    /// The encoded state.
    var data: Data {
        var writer = IndexBytesWriter(Self.mark)
        writer.append(Array(fingerprint.utf8))
        writer.append(word: revision)
        writer.append(count)
        writer.append(word: sum)
        return writer.data()
    }

    /// Adds a document.
    mutating func add(_ key: String) {
        count += 1
        sum &+= Self.hash(key)
    }

    /// Removes a document.
    mutating func remove(_ key: String) {
        count -= 1
        sum &-= Self.hash(key)
    }

    /// Creates the state of the existing documents. Cost: one listing of the collection.
    init(fingerprint: String, of collection: String, _ driver: any DocumentDriver) throws {
        var counted = Self(fingerprint: fingerprint)
        try driver.visitKeys(in: collection) { counted.add($0) }
        self = counted
    }

    /// Returns whether both states cover the same documents. The fingerprints are not compared.
    ///
    /// The comparison uses only the count and the sum of hashes, so that it takes constant time.
    /// Different sets of keys with equal values are possible, but improbable.
    func covers(_ other: DocumentIndexState) -> Bool { count == other.count && sum == other.sum }

    /// The hash of a key: FNV-1a, followed by the finalizer of SplitMix64.
    private static func hash(_ key: String) -> UInt64 {
        var word = IndexBytesWriter.checksum(Array(key.utf8)[...])
        // Without the finalizer, different sets of similar keys would often have the same sum.
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }
}

/// The definition of a table's indexes as a hash.
extension EntityTable {
    /// Returns a hash of everything that determines the keys of the table's indexes: fields,
    /// defaults, index definitions and references.
    ///
    /// - Parameter format: The format of the records.
    func indexFingerprint(format: String) -> String {
        var text = CanonicalText()
        text.add(format)
        func add(_ field: Int) {
            let description = layout.fields[field]
            text.add(description.name)
            StoredShape(description.type).write(to: &text)
            text.add(description.defaultValue.map(StoredConstant.init)) { $1.write(to: &$0) }
        }
        for field in key { add(field) }
        for index in indexes {
            text.add("index")
            for key in index.keys {
                add(key.field)
                text.add(key.descending)
                if ignoresCase(key) { text.add("folded") }
                for name in key.path.names { text.add("." + name) }
            }
            if let condition = index.condition {
                text.add("where")
                text.add(StoredCondition(condition, in: layout).text)
            }
        }
        for (field, _) in keptReferences {
            text.add("reference")
            add(field)
        }
        if !searchedFields.isEmpty {
            text.add("search")
            text.add(SearchQuery.unicodeVersion)
            for field in searchedFields { add(field) }
        }
        return SHA256.hexadecimal(text.bytes)
    }
}
