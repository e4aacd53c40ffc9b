internal import Foundation
internal import RepositoryRuntime
internal import StoredSchema

/// How the records of a table are compared: by the canonical bytes of their fields.
struct ComparedFields<E: Entity> {
    private let canonical: CanonicalCBOR
    private let omitted: Set<Int>
    /// The store whose precision both sides are rounded to; nil if both have the same.
    private let rounding: RepositoryContext?

    init(rounding: RepositoryContext?) {
        let table = E.Mapper.table
        omitted = Set(table.onlyReadFields)
        canonical = CanonicalCBOR(table.layout, omitting: table.onlyReadFields)
        self.rounding = rounding
    }

    /// Returns a record as the coarser side holds it. A record that breaks a rule stays as it is.
    func rounded(_ entity: E) -> E {
        guard let rounding else { return entity }
        do {
            return try rounding.rounded(entity)
        } catch {
            // The copy reports the broken rule; a comparison compares what is stored.
            return entity
        }
    }

    /// Returns the canonical bytes of a record.
    func bytes(_ entity: E) throws -> Data {
        do {
            return try canonical.bytes(of: StoredValueEncoder.values(of: entity, E.Mapper.self))
        } catch {
            throw CRUDRepositoryError.invalidRecord(
                id: entity.id.description, table: E.Mapper.table.name,
                reason: "a value has no encoding (\(error))")
        }
    }

    /// Returns the names of the fields in which two records differ, with their values if wanted.
    func differences(
        _ left: E, _ right: E, showingValues: Bool
    ) throws -> (names: [String], values: [String: [String]]?) {
        let one = try StoredValueEncoder.values(of: left, E.Mapper.self)
        let two = try StoredValueEncoder.values(of: right, E.Mapper.self)
        let fields = E.Mapper.layout.fields
        let found = fields.indices.filter { !omitted.contains($0) && one[$0] != two[$0] }
        guard showingValues else { return (found.map { fields[$0].name }, nil) }
        var values: [String: [String]] = [:]
        for index in found {
            values[fields[index].name] =
                fields[index].isSensitive ? ["•••"] : ["\(one[index])", "\(two[index])"]
        }
        return (found.map { fields[$0].name }, values)
    }
}

/// A running digest of the records of a table, in id order.
struct TableDigest {
    private var stream = SHA256Stream()

    /// Adds the canonical bytes of the next record, with their number.
    mutating func add(_ bytes: Data) {
        withUnsafeBytes(of: UInt32(bytes.count).bigEndian) { stream.append($0) }
        bytes.withUnsafeBytes { stream.append($0) }
    }

    /// The digest as hexadecimal digits.
    var text: String { stream.hexadecimal }

    /// Returns the first 16 bytes of the digest of one record.
    static func of(_ bytes: Data) -> Data {
        var stream = SHA256Stream()
        bytes.withUnsafeBytes { stream.append($0) }
        return Data(stream.finish().prefix(16))
    }
}
