internal import CoreDataFormat
internal import Foundation
internal import RepositoryMoving
internal import RepositoryRuntime
internal import StoredSchema

/// Makes records of objects and links.
final class CoreDataRecordReader {
    private let mapping: CoreDataMapping
    private let source: TableSource
    private let store: CoreDataStore
    private let namespace: UUID?
    private var lookups: [String: ObjectLookup] = [:]
    private var owners: [String: OwnerCursor] = [:]

    init(_ mapping: CoreDataMapping, _ source: TableSource, _ store: CoreDataStore) {
        self.mapping = mapping
        self.source = source
        self.store = store
        namespace = UUID(uuidString: source.namespace ?? store.header.identity)
    }

    /// Starts with the objects of another entity, in the order of their keys.
    func restart() { owners = [:] }

    /// Returns the record of an object.
    ///
    /// - Throws: ``RecordDecodingError``; ``CoreDataFileError`` if the store is damaged.
    func record(_ object: StoredObject) throws -> NamedRecord {
        var record = NamedRecord()
        for field in mapping.fields {
            let name = field.description.name
            do {
                record.values[name] = try value(of: field, object)
            } catch let error as RecordDecodingError {
                throw Self.inside(name, error)
            }
        }
        return record
    }

    /// Returns the record of a link; nil if an object of it does not exist.
    ///
    /// - Throws: ``RecordDecodingError``; ``CoreDataFileError`` if the store is damaged.
    func record(owner: ObjectReference, target: ObjectReference, position: Int) throws
        -> NamedRecord
    {
        var record = NamedRecord()
        for field in mapping.fields {
            let name = field.description.name
            do {
                switch field.origin {
                case .linkOwner: record.values[name] = try id(owner, field)
                case .linkTarget: record.values[name] = try id(target, field)
                case .linkPosition: record.values[name] = .integer(Int64(position))
                default: break
                }
            } catch let error as RecordDecodingError {
                throw Self.inside(name, error)
            }
        }
        return record
    }

    private static func inside(_ name: String, _ error: RecordDecodingError) -> RecordDecodingError
    {
        RecordDecodingError(path: error.path.isEmpty ? name : "\(name).\(error.path)", error.reason)
    }

    private func value(
        of field: CoreDataMapping.Field, _ object: StoredObject
    ) throws -> StoredValue {
        switch field.origin {
        case .key: return key(object.reference, field.description.type)
        case .entity: return .text(object.reference.entity)
        case .property(let name, let entities):
            guard entities.contains(object.reference.entity) else { return .null }
            if let value = object.attributes[name] {
                return try converted(value, field.description, field.description.name)
            }
            guard let reference = object.toOne[name] ?? nil else {
                if object.dangling[name] != nil, !field.description.isOptional {
                    throw RecordDecodingError("refers to an object that does not exist")
                }
                return .null
            }
            return try id(reference, field)
        case .owner(let entity, let property):
            guard let found = try cursor(entity, property)?.owner(of: object.reference.key),
                let owner = found.owner
            else { return .null }
            return try id(owner, field)
        case .position(let entity, let property):
            let found = try cursor(entity, property, for: "position")?
                .owner(of: object.reference.key)
            return found.map { .integer(Int64($0.position)) } ?? .null
        case .linkOwner, .linkTarget, .linkPosition: return .null
        }
    }

    /// The owners of the objects, from the first one on.
    private func cursor(
        _ entity: String, _ property: String, for part: String = "owner"
    ) throws -> OwnerCursor? {
        let name = "\(entity).\(property)#\(part)"
        if let known = owners[name] { return known }
        let cursor = try store.owners(entity, property)
        owners[name] = cursor
        return cursor
    }

    /// The id that an object without one of its own has.
    private func key(_ reference: ObjectReference, _ type: StoredType) -> StoredValue {
        guard case .single(.uuid, _) = type.structure, let namespace else {
            return .integer(Int64(reference.key))
        }
        return .uuid(UUID(namespace: namespace, name: reference.description))
    }

    /// Returns the id of an object that a field refers to.
    private func id(
        _ reference: ObjectReference, _ field: CoreDataMapping.Field
    ) throws -> StoredValue {
        guard let name = field.reference else {
            throw RecordDecodingError("refers to an entity that no type is taken from")
        }
        guard let path = name.path else { return key(reference, field.description.type) }
        let lookup = try lookup(reference.entity, path.property)
        guard let found = try lookup.object(reference.key) else { return .null }
        return try converted(found.value, field.description, field.description.name)
    }

    private func lookup(_ entity: String, _ attribute: String?) throws -> ObjectLookup {
        let name = "\(entity).\(attribute ?? "")"
        if let known = lookups[name] { return known }
        let lookup = try ObjectLookup(store, entity, attribute: attribute)
        lookups[name] = lookup
        return lookup
    }

    /// Returns an object of the entity of the mapping, or of one that inherits from it.
    func reference(_ key: Int) throws -> ObjectReference? {
        try lookup(mapping.entity, nil).object(key)?.reference
    }

    // MARK: - Values

    /// Converts the value of an attribute to that of a field.
    private func converted(
        _ value: ObjectValue, _ field: FieldDescription, _ path: String
    ) throws -> StoredValue {
        switch value {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .integer(let value):
            // A Boolean of another program: everything but zero is true.
            if case .single(.bool, _) = field.type.structure { return .bool(value != 0) }
            return renamed(.integer(value), path)
        case .double(let value): return try finite(value)
        case .decimal(let value): return .decimal(value)
        case .string(let text), .enumCase(let text): return renamed(.text(text), path)
        case .date(let seconds): return try date(seconds)
        case .data(let data), .opaque(let data, _), .json(let data): return .data(data)
        case .uuid(let value): return .uuid(value)
        case .archive(let plain, let data), .propertyList(let plain, let data):
            if case .single(.data, _) = field.type.structure { return .data(data) }
            return try converted(plain)
        case .composite(let fields): return try composite(fields, field, path)
        case .missingFile(let name):
            guard field.isOptional else {
                throw RecordDecodingError("is in the external file '\(name)', which is missing")
            }
            return .null
        }
    }

    /// Replaces the raw value of a case of an enum.
    private func renamed(_ value: StoredValue, _ path: String) -> StoredValue {
        guard let values = source.values[path] else { return value }
        switch value {
        case .text(let text): return values[text].map { .text($0) } ?? value
        case .integer(let number):
            let found = values[String(number)]
            return found.flatMap { Int64($0) }.map { .integer($0) } ?? found.map { .text($0) }
                ?? value
        default: return value
        }
    }

    private func composite(
        _ fields: [ObjectField], _ field: FieldDescription, _ path: String
    ) throws -> StoredValue {
        guard case .object(let layout) = field.type.structure else {
            throw RecordDecodingError("is a structure, and the field is no value", isMismatch: true)
        }
        var members: [String: StoredValue] = [:]
        for member in layout.fields {
            let inner = "\(path).\(member.name)"
            guard let name = source.fields[inner].flatMap({ SourceName($0) })?.property,
                let found = fields.first(where: { $0.name == name })
            else { continue }
            do {
                members[member.name] = try converted(found.value, member, inner)
            } catch let error as RecordDecodingError {
                throw Self.inside(member.name, error)
            }
        }
        return .object(members)
    }

    private func converted(_ plain: PlainValue) throws -> StoredValue {
        switch plain {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .integer(let value):
            guard let number = Int64(exactly: value) else {
                throw RecordDecodingError("is an integer of more than 64 bits")
            }
            return .integer(number)
        case .double(let value): return try finite(value)
        case .string(let text), .url(let text, _): return .text(text)
        case .data(let data): return .data(data)
        case .date(let seconds): return try date(seconds)
        case .uuid(let value): return .uuid(value)
        case .decimal(let text):
            guard let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
            else {
                throw RecordDecodingError("is no number")
            }
            return .decimal(value)
        case .list(let items), .set(let items): return .list(try items.map(converted))
        case .dictionary(let pairs):
            var members: [String: StoredValue] = [:]
            for pair in pairs {
                guard case .string(let key) = pair.key else {
                    throw RecordDecodingError("has a key that is no string")
                }
                members[key] = try converted(pair.value)
            }
            return .object(members)
        }
    }

    private func finite(_ number: Double) throws -> StoredValue {
        guard number.isFinite else { throw RecordDecodingError("is not a finite number") }
        return .double(number)
    }

    /// A date, rounded to microseconds as stores do.
    private func date(_ seconds: Double) throws -> StoredValue {
        let date = Date(timeIntervalSinceReferenceDate: (seconds * 1e6).rounded() / 1e6)
        guard StoredDate.canStore(date) else {
            throw RecordDecodingError("is a date that no store can hold")
        }
        return .date(date)
    }
}
