extension DataChange: Codable {
    /// The kinds of changes in JSON.
    private enum Kind: String, Codable {
        case renameTable, removeTable, rename, remove, add, addByCode, require, requireByCode
        case convert, convertByCode, replaceCases, followID, changeKey, records, tables
    }

    /// The keys of the JSON object.
    private enum JSONKey: String, CodingKey {
        case kind, table, tables, path, from, to, type, isOptional, cases, value, function, fields,
            replacements
    }

    /// Decodes an object with the key `kind`.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: JSONKey.self)
        func text(_ key: JSONKey) throws -> String { try values.decode(String.self, forKey: key) }
        func path() throws -> DataPath { try values.decode(DataPath.self, forKey: .path) }
        func type() throws -> StoredShape { try values.decode(StoredShape.self, forKey: .type) }
        func isOptional() throws -> Bool {
            try values.decodeIfPresent(Bool.self, forKey: .isOptional) ?? false
        }
        func constant() throws -> StoredConstant {
            try values.decode(StoredConstant.self, forKey: .value)
        }
        switch try values.decode(Kind.self, forKey: .kind) {
        case .renameTable: self = .renameTable(from: try text(.from), to: try text(.to))
        case .removeTable: self = .removeTable(try text(.table))
        case .rename: self = .rename(try path(), to: try text(.to))
        case .remove: self = .remove(try path())
        case .add:
            self = .add(
                try path(), try type(), isOptional: try isOptional(), value: try constant())
        case .addByCode:
            self = .addByCode(
                try path(), try type(), isOptional: try isOptional(), function: try text(.function))
        case .require: self = .require(try path(), value: try constant())
        case .requireByCode: self = .requireByCode(try path(), function: try text(.function))
        case .convert:
            self = .convert(
                try path(), try type(), isOptional: try isOptional(),
                cases: try values.decodeIfPresent([String].self, forKey: .cases),
                otherwise: try values.decodeIfPresent(StoredConstant.self, forKey: .value))
        case .convertByCode:
            self = .convertByCode(
                try path(), try type(), isOptional: try isOptional(), function: try text(.function))
        case .replaceCases:
            self = .replaceCases(
                try path(), try values.decode([String: String].self, forKey: .replacements))
        case .followID:
            self = .followID(
                try path(), try type(), isOptional: try isOptional(), of: try text(.table))
        case .changeKey:
            self = .changeKey(
                try text(.table), to: try values.decode([String].self, forKey: .fields))
        case .records:
            self = .records(
                try text(.table), fields: try values.decode([StoredField].self, forKey: .fields),
                function: try text(.function))
        case .tables:
            self = .tables(
                try values.decode([String].self, forKey: .tables),
                new: try values.decode([StoredTable].self, forKey: .fields),
                function: try text(.function))
        }
    }

    /// Encodes an object with the key `kind`.
    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: JSONKey.self)
        /// Encodes the kind and the place.
        func start(_ kind: Kind, _ path: DataPath?) throws {
            try values.encode(kind, forKey: .kind)
            try values.encodeIfPresent(path, forKey: .path)
        }
        /// Encodes a type, with `isOptional` only if it is.
        func encode(_ type: StoredShape, _ isOptional: Bool) throws {
            try values.encode(type, forKey: .type)
            if isOptional { try values.encode(true, forKey: .isOptional) }
        }
        try values.encodeIfPresent(function, forKey: .function)
        switch self {
        case .renameTable(let old, let new):
            try start(.renameTable, nil)
            try values.encode(old, forKey: .from)
            try values.encode(new, forKey: .to)
        case .removeTable(let table):
            try start(.removeTable, nil)
            try values.encode(table, forKey: .table)
        case .rename(let path, let name):
            try start(.rename, path)
            try values.encode(name, forKey: .to)
        case .remove(let path): try start(.remove, path)
        case .add(let path, let type, let isOptional, let value):
            try start(.add, path)
            try encode(type, isOptional)
            try values.encode(value, forKey: .value)
        case .addByCode(let path, let type, let isOptional, _):
            try start(.addByCode, path)
            try encode(type, isOptional)
        case .require(let path, let value):
            try start(.require, path)
            try values.encode(value, forKey: .value)
        case .requireByCode(let path, _): try start(.requireByCode, path)
        case .convert(let path, let type, let isOptional, let cases, let otherwise):
            try start(.convert, path)
            try encode(type, isOptional)
            try values.encodeIfPresent(cases, forKey: .cases)
            try values.encodeIfPresent(otherwise, forKey: .value)
        case .convertByCode(let path, let type, let isOptional, _):
            try start(.convertByCode, path)
            try encode(type, isOptional)
        case .replaceCases(let path, let replacements):
            try start(.replaceCases, path)
            try values.encode(replacements, forKey: .replacements)
        case .followID(let path, let type, let isOptional, let table):
            try start(.followID, path)
            try encode(type, isOptional)
            try values.encode(table, forKey: .table)
        case .changeKey(let table, let fields):
            try start(.changeKey, nil)
            try values.encode(table, forKey: .table)
            try values.encode(fields, forKey: .fields)
        case .records(let table, let fields, _):
            try start(.records, nil)
            try values.encode(table, forKey: .table)
            try values.encode(fields, forKey: .fields)
        case .tables(let tables, let new, _):
            try start(.tables, nil)
            try values.encode(tables, forKey: .tables)
            try values.encode(new, forKey: .fields)
        }
    }
}
