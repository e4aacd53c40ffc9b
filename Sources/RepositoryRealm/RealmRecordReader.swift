internal import Foundation
internal import RealmFormat
internal import RepositoryMoving
internal import RepositoryRuntime

/// Makes the records of an entity of the objects of a class.
struct RealmRecordReader {
    private let mapping: RealmMapping
    private let lookup: ObjectLookup

    init(_ mapping: RealmMapping, _ database: RealmDatabase) {
        self.mapping = mapping
        lookup = database.lookup()
    }

    /// The text that identifies an object in reports.
    func name(of object: RealmObject) -> String { "\(mapping.type.name)/\(object.key)" }

    /// Calls a closure with each record that an object becomes, or the reason why it cannot: one, or
    /// one for each element of its list.
    func records(
        of object: RealmObject,
        _ body: (Result<NamedRecord, RecordDecodingError>) async throws -> Void
    ) async throws {
        guard let list = mapping.list else {
            try await body(try record(object))
            return
        }
        switch object.values[list] {
        case .list(let values), .set(let values):
            for (position, value) in values.enumerated() {
                try await body(try record(object, value, position: position))
            }
        case .dictionary(let entries):
            for (position, entry) in entries.enumerated() {
                // A link that is null, or to an object that does not exist, is no record.
                guard entry.value != .null else { continue }
                try await body(
                    try record(object, entry.value, position: position, entry: entry.key))
            }
        default: break
        }
    }

    /// - Throws: ``RealmFileError`` if the file is damaged.
    private func record(
        _ object: RealmObject, _ element: RealmValue = .null, position: Int = 0,
        entry: RealmValue = .null
    ) throws -> Result<NamedRecord, RecordDecodingError> {
        var record = NamedRecord()
        for field in mapping.fields {
            do {
                record.values[field.name] = try value(
                    of: field, object, element, position, entry)
            } catch let error as RecordDecodingError {
                let path = error.path.isEmpty ? field.name : "\(field.name).\(error.path)"
                return .failure(RecordDecodingError(path: path, error.reason))
            }
        }
        return .success(record)
    }

    private func value(
        of field: RealmMapping.Field, _ object: RealmObject, _ element: RealmValue,
        _ position: Int, _ entry: RealmValue
    ) throws -> StoredValue {
        switch field.origin {
        case .key(let namespace):
            guard let namespace else { return .integer(object.key) }
            return .uuid(UUID(namespace: namespace, name: name(of: object)))
        case .property(let index):
            guard let plan = field.plan else { return .null }
            return try converted(object.values[index], plan)
        case .owner:
            return try id(
                RealmLink(table: mapping.type.key, key: object.key), field.reference)
        case .target:
            guard case .link(let link) = element else { return .null }
            return try id(link, field.reference)
        case .position: return .integer(Int64(position))
        case .entry: return try scalar(entry)
        }
    }

    /// Converts a value to that of a field.
    private func converted(_ value: RealmValue, _ plan: RealmFieldPlan) throws -> StoredValue {
        guard plan.isCollection else { return try element(value, plan) }
        switch value {
        case .list(let values), .set(let values):
            return .list(try values.map { try element($0, plan) })
        case .dictionary(let entries): return .object(try map(entries) { try element($0, plan) })
        default: return try element(value, plan)
        }
    }

    private func element(_ value: RealmValue, _ plan: RealmFieldPlan) throws -> StoredValue {
        if value == .null { return .null }
        if !plan.cases.isEmpty { return try union(value, plan) }
        if case .link(let link) = value {
            guard let embedded = plan.embedded else { return try id(link, plan.reference) }
            guard let object = try lookup.object(link.key, of: embedded) else { return .null }
            var members: [String: StoredValue] = [:]
            for member in plan.members {
                do {
                    members[member.name] = try converted(
                        object.values[member.property], member.plan)
                } catch let error as RecordDecodingError {
                    let path = error.path.isEmpty ? member.name : "\(member.name).\(error.path)"
                    throw RecordDecodingError(path: path, error.reason)
                }
            }
            return .object(members)
        }
        let result = try scalar(value)
        guard !plan.values.isEmpty else { return result }
        let text: String? =
            switch result {
            case .text(let text): text
            case .integer(let number): String(number)
            default: nil
            }
        guard let text, let mapped = plan.values[text] else { return result }
        if case .integer = result, let number = Int64(mapped) { return .integer(number) }
        return .text(mapped)
    }

    /// Returns the id of the object that a link refers to; null if there is no such object.
    private func id(_ link: RealmLink, _ reference: RealmReference?) throws -> StoredValue {
        guard let reference else {
            throw RecordDecodingError("links to a class that no entity is taken from")
        }
        guard link.table == nil || link.table == reference.type.key else {
            throw RecordDecodingError("links to an object of another class")
        }
        if let property = reference.property {
            guard let id = try lookup.value(of: property, link.key, of: reference.type) else {
                return .null
            }
            return try scalar(id)
        }
        guard let namespace = reference.namespace else { return .integer(link.key) }
        return .uuid(UUID(namespace: namespace, name: "\(reference.type.name)/\(link.key)"))
    }

    /// Makes the case of a union of a value of any type.
    private func union(_ value: RealmValue, _ plan: RealmFieldPlan) throws -> StoredValue {
        let name: String
        switch value {
        case .link(let link):
            let found = plan.cases.first { $0.value.reference?.type.key == link.table }
            guard let found, let reference = found.value.reference else {
                throw RecordDecodingError("links to a class for which the union has no case")
            }
            return .object([
                found.key: .object([found.value.member: try id(link, reference)])
            ])
        case .null: return .null
        case .bool: name = "bool"
        case .binary, .invalidString: name = "data"
        case .date: name = "date"
        case .decimal: name = "decimal"
        case .double: name = "double"
        case .float: name = "float"
        case .int: name = "int"
        case .objectID: name = "objectID"
        case .string: name = "string"
        case .uuid: name = "uuid"
        case .list, .set, .dictionary, .table: name = "json"
        }
        guard let found = plan.cases[name] else {
            throw RecordDecodingError(
                "has a value of type \(name), for which the union has no case")
        }
        let stored =
            switch value {
            case .invalidString(let bytes): StoredValue.data(Data(bytes))
            case .list, .set, .dictionary, .table: StoredValue.text(RealmJSON.text(value))
            default: try scalar(value)
            }
        return .object([name: .object([found.member: stored])])
    }

    private func map(
        _ entries: [RealmEntry], _ convert: (RealmValue) throws -> StoredValue
    ) throws -> [String: StoredValue] {
        var members: [String: StoredValue] = [:]
        for entry in entries {
            switch entry.key {
            case .string(let key): members[key] = try convert(entry.value)
            case .int(let key): members[String(key)] = try convert(entry.value)
            default: throw RecordDecodingError("has a key that is no text")
            }
        }
        return members
    }

    /// Converts a single value.
    private func scalar(_ value: RealmValue) throws -> StoredValue {
        switch value {
        case .null: return .null
        case .int(let number): return .integer(number)
        case .bool(let flag): return .bool(flag)
        case .float(let number): return try finite(Double(number))
        case .double(let number): return try finite(number)
        case .string(let text): return .text(text)
        case .invalidString: throw RecordDecodingError("is a string that is not UTF-8")
        case .binary(let bytes): return .data(Data(bytes))
        case .date(let date):
            guard StoredDate.canStore(date.rounded) else {
                throw RecordDecodingError("is a date that no store can hold")
            }
            return .date(date.rounded)
        case .decimal(let decimal):
            guard let number = Decimal(decimal) else {
                throw RecordDecodingError("is a Decimal128 that does not fit into a Decimal")
            }
            return .decimal(number)
        case .objectID(let id): return .text(id.description)
        case .uuid(let id):
            return .uuid(
                UUID(uuid: id.bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }))
        case .link, .list, .set, .dictionary, .table:
            throw RecordDecodingError("is not of its type", isMismatch: true)
        }
    }

    private func finite(_ number: Double) throws -> StoredValue {
        guard number.isFinite else { throw RecordDecodingError("is not a finite number") }
        return .double(number)
    }
}
