import CoreDataFormat
import Foundation
import StoredSchema

/// Objects of a store as the expected files list them.
enum ObjectListing {
    static func node(_ object: StoredObject) -> JSONNode {
        var relationships: [String: JSONNode] = [:]
        for (name, other) in object.toOne {
            relationships[name] = other.map { .string(label($0)) } ?? .null
        }
        for (name, others) in object.toMany {
            relationships[name] = .list(others.map { .string(label($0)) })
        }
        var members: [String: JSONNode] = [
            "object": .string(label(object.reference)),
            "entity": .string(object.reference.entity),
            "id": .integer(Int64(object.reference.key)),
            "version": object.version.map { .integer(Int64($0)) } ?? .null,
            "attributes": .object(object.attributes.mapValues(node)),
            "relationships": .object(relationships),
        ]
        if !object.dangling.isEmpty {
            members["dangling"] = .object(object.dangling.mapValues { .integer(Int64($0)) })
        }
        return .object(members)
    }

    private static func label(_ reference: ObjectReference) -> String {
        "\(reference.entity)/\(reference.key)"
    }

    static func node(_ value: ObjectValue) -> JSONNode {
        switch value {
        case .null: .null
        case .bool(let value): .bool(value)
        case .integer(let value): .integer(value)
        case .double(let value): .number(value)
        case .decimal(let value): .object(["$decimal": .string(value.description)])
        case .string(let value): .string(value)
        case .date(let seconds): date(seconds)
        case .data(let data): .object(blob(data))
        case .uuid(let value): .string(value.uuidString)
        case .archive(let value, _): .object(["$archive": node(value)])
        case .propertyList(let value, _): .object(["$plist": node(value)])
        case .json(let data):
            .object(["$json": (try? JSONDecoder().decode(JSONNode.self, from: data)) ?? .null])
        case .opaque(let data, let classes):
            .object(blob(data).merging(["$classes": .list(classes.map { .string($0) })]) { $1 })
        case .composite(let fields):
            .object(
                Dictionary(fields.map { ($0.name, node($0.value)) }, uniquingKeysWith: { $1 }))
        case .enumCase(let name): .object(["$case": .string(name)])
        case .missingFile(let name):
            .object(["$external": .string(name), "missing": .bool(true)])
        }
    }

    static func node(_ value: PlainValue) -> JSONNode {
        switch value {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .integer(let value): return Int64(exactly: value).map { .integer($0) } ?? .null
        case .double(let value): return .number(value)
        case .string(let value): return .string(value)
        case .data(let data): return .object(blob(data))
        case .date(let seconds): return date(seconds)
        case .uuid(let value): return .string(value.uuidString)
        case .url(let text, nil): return .string(text)
        case .url(let text, let base?):
            return .object(["$url": .string(text), "base": node(base)])
        case .decimal(let text):
            let decimal = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
            return .object(["$decimal": .string(decimal?.description ?? text)])
        case .list(let items): return .list(items.map(node))
        case .set(let items): return .object(["$set": .list(items.map(node))])
        case .dictionary(let pairs):
            var members: [String: JSONNode] = [:]
            for pair in pairs {
                guard let key = pair.key.string else {
                    return .object([
                        "$pairs": .list(pairs.map { .list([node($0.key), node($0.value)]) })
                    ])
                }
                members[key] = node(pair.value)
            }
            return .object(members)
        }
    }

    /// Bytes; of more than 256, their digest.
    private static func blob(_ data: Data) -> [String: JSONNode] {
        guard data.count > 256 else { return ["$data": .string(data.base64EncodedString())] }
        return [
            "$sha256": .string(SHA256.hexadecimal(of: Array(data))),
            "bytes": .integer(Int64(data.count)),
        ]
    }

    /// A date, with microseconds where it has some.
    private static func date(_ seconds: Double) -> JSONNode {
        let outside = JSONNode.object(["$secondsSince2001": .number(seconds)])
        guard abs(seconds) < 1e12 else { return outside }
        let total = Int64((seconds * 1e6).rounded(.toNearestOrEven)) + 978_307_200_000_000
        let day = Int(
            (total - (total % 86_400_000_000 + 86_400_000_000) % 86_400_000_000)
                / 86_400_000_000)
        let rest = Int(total) - day * 86_400_000_000
        // The calendar without the change of 1582, as the expected files have it.
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let ofEra = shifted - era * 146_097
        let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * ofYear + 2) / 153
        let dayOfMonth = ofYear - (153 * month + 2) / 5 + 1
        let civilMonth = month < 10 ? month + 3 : month - 9
        let year = yearOfEra + era * 400 + (civilMonth <= 2 ? 1 : 0)
        guard (1...9999).contains(year) else { return outside }
        let second = rest / 1_000_000
        func padded(_ value: Int, _ width: Int) -> String {
            String(repeating: "0", count: max(0, width - String(value).count)) + String(value)
        }
        let fraction = rest % 1_000_000
        return .string(
            "\(padded(year, 4))-\(padded(civilMonth, 2))-\(padded(dayOfMonth, 2))"
                + "T\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
                + (fraction == 0 ? "" : "." + padded(fraction, 6)) + "Z")
    }
}
