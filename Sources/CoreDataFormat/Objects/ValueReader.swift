internal import Foundation

/// Converts columns to the values of attributes.
struct ValueReader: Sendable {
    let external: ExternalData

    /// Returns the value of an attribute.
    ///
    /// A column that does not contain what its type implies is returned as what it contains.
    ///
    /// - Parameters:
    ///   - column: the column.
    ///   - property: the attribute.
    ///   - label: the object and attribute, for errors.
    /// - Throws: ``CoreDataFileError``.
    func value(
        _ column: StoredColumn, _ property: ModelProperty, _ label: @autoclosure () -> String
    ) throws(CoreDataFileError) -> ObjectValue {
        switch column {
        case .null: return .null
        case .text(let text):
            guard property.type == .decimal, let decimal = Self.decimal(text) else {
                return .string(text)
            }
            return .decimal(decimal)
        case .integer(let value):
            switch property.type {
            case .bool: return value == 0 || value == 1 ? .bool(value == 1) : .integer(value)
            case .date: return .date(Double(value))
            case .double, .float: return .double(Double(value))
            case .decimal: return .decimal(Decimal(value))
            default: return .integer(value)
            }
        case .real(let value):
            switch property.type {
            case .date: return .date(value)
            // The shortest text that is read as the same number: 10.11, as the app saved it.
            case .decimal: return Self.decimal("\(value)").map { .decimal($0) } ?? .double(value)
            case .bool where value == 0 || value == 1: return .bool(value == 1)
            default: return .double(value)
            }
        case .blob(let bytes):
            guard property.isExternal else { return Self.value(bytes, property.type) }
            let found = try external.value(bytes, label: label())
            guard case .data(let data) = found else { return found }
            return Self.value(data, property.type)
        }
    }

    /// Returns the number of a text that is one as a whole.
    private static func decimal(_ text: String) -> Decimal? {
        guard Double(text)?.isFinite == true else { return nil }
        return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
    }

    private static func value(_ bytes: Data, _ type: AttributeType) -> ObjectValue {
        switch type {
        case .uuid: UUID(bytes: bytes).map { .uuid($0) } ?? .data(bytes)
        case .transformable: transformed(bytes)
        default: .data(bytes)
        }
    }

    /// Returns the value of a transformable, or of a part of a structure that has no columns: what
    /// standard classes contain, and other bytes as they are.
    static func transformed(_ data: Data) -> ObjectValue {
        let bytes = Array(data)
        if bytes.starts(with: "bplist".utf8) {
            do throws(CoreDataFileError) {
                let archive = try KeyedArchive(bytes)
                do throws(CoreDataFileError) {
                    return .archive(try archive.plain(archive.root), data)
                } catch {
                    return .opaque(data, classes: archive.classes())
                }
            } catch {
                guard let plain = try? PlainValue(propertyList: bytes) else {
                    return .opaque(data, classes: [])
                }
                return .propertyList(plain, data)
            }
        }
        if bytes.starts(with: "<?xml".utf8), let plain = try? PlainValue(propertyList: bytes) {
            return .propertyList(plain, data)
        }
        if bytes.first == UInt8(ascii: "{") || bytes.first == UInt8(ascii: "["),
            (try? JSONSerialization.jsonObject(with: data)) != nil
        {
            return .json(data)
        }
        return .opaque(
            data, classes: bytes.starts(with: [4, 0x0B, 0x73, 0x74]) ? ["typedstream"] : [])
    }
}
