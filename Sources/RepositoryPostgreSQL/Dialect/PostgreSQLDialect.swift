#if PostgreSQL
    internal import Foundation
    internal import RepositoryRuntime
    internal import RepositorySQLCore
    internal import StoredSchema

    /// The SQL dialect of PostgreSQL.
    struct PostgreSQLDialect: SQLDialect {
        /// What stands in statements instead of placeholders, for those that take no parameters.
        var literals: [String] = []

        func typeName(_ form: SQLColumnForm) -> String {
            switch form {
            case .boolean: "boolean"
            case .integer(let bits): bits == 16 ? "smallint" : bits == 32 ? "integer" : "bigint"
            case .float: "real"
            case .double: "double precision"
            case .numeric(let scale): scale.map { "numeric(38, \($0))" } ?? "numeric"
            case .date: "timestamptz"
            case .day: "date"
            case .uuid: "uuid"
            case .data, .encrypted: "bytea"
            case .json: "jsonb"
            default: "text COLLATE \"C\""
            }
        }

        func placeholder(_ number: Int) -> String {
            literals.indices.contains(number - 1) ? literals[number - 1] : "$\(number)"
        }

        /// Returns a literal with its type; `nil` if the value has none.
        func literal(_ value: StoredValue, as form: SQLColumnForm) -> String? {
            switch (form, value) {
            case (_, .null): return "NULL"
            case (.boolean, .bool(let value)): return value ? "TRUE" : "FALSE"
            // In parentheses, because a sign binds weaker than a cast.
            case (.integer, .integer(let value)): return "'\(value)'::bigint"
            case (.numeric, .decimal(let value)) where value.isFinite:
                return "'\(value.description)'::numeric"
            case (.numeric, .integer(let value)): return "'\(value)'::numeric"
            case (.float, .double(let value)) where value.isFinite,
                (.double, .double(let value)) where value.isFinite:
                return "'\(value)'::double precision"
            case (.float, .integer(let value)), (.double, .integer(let value)):
                return "'\(Double(value))'::double precision"
            case (.date, .date(let value)):
                let micros = StoredDate.microseconds(value)
                return StoredDate.text(microseconds: micros).map { "'\($0)'::timestamptz" }
            case (.day, .text(let value)):
                return LocalDate(value).map { "'\($0.description)'::date" }
            case (.uuid, .uuid(let value)): return "'\(value.uuidString)'::uuid"
            case (.text, .text(let value)):
                return value.utf8.contains(0) ? nil : textLiteral(value)
            case (.data, .data(let value)):
                return "'\\x\(value.map { String(format: "%02x", $0) }.joined())'::bytea"
            case (.json, _): return value.jsonText.map { "\(textLiteral($0))::jsonb" }
            default: return nil
            }
        }

        func length(of column: String, as form: SQLColumnForm) -> String? {
            switch form {
            case .text: "char_length(\(column))"
            case .data: "octet_length(\(column))"
            default: nil
            }
        }

        /// Never used: the binder folds strings, and statements read folded columns.
        func caseFolded(_ text: String) -> String { "lower(\(text))" }

        var foldsText: Bool { false }
        var bindsNUL: Bool { false }
        var referencesInTables: Bool { false }

        func orders(_ form: SQLColumnForm) -> Bool { !form.isOpaque }

        func comparable(
            _ column: String, as form: SQLColumnForm, isForeign: Bool
        ) -> (text: String, form: SQLColumnForm)? {
            // The owner of a table chooses the collation, and labels of an enum sort otherwise.
            guard isForeign, form == .text || form == .anyText else { return nil }
            return ("\(column) COLLATE \"C\"", .text)
        }

        /// Returns the expressions for a column of an unmanaged table.
        ///
        /// A cast from `varchar` to `text` changes nothing, so that an index over the column serves
        /// it.
        func unmanaged(_ column: String, as form: SQLColumnForm) -> SQLUnmanagedColumn? {
            let type = form == .text || form == .anyText ? "text" : typeName(form)
            // With a name of its own: a plain name in ORDER BY would be that of the result.
            let selected = "\(column)::\(type.split(separator: "(")[0]) AS \"repository value\""
            switch form {
            case .text, .anyText, .json:
                return SQLUnmanagedColumn(selected: selected, equatable: "\(column)::\(type)")
            default: return SQLUnmanagedColumn(selected: selected, equatable: nil)
            }
        }

        /// The store names ids also where an identity column is `GENERATED ALWAYS`.
        func insertOption(_ table: SQLTable) -> String {
            table.entity.isManaged ? "" : " OVERRIDING SYSTEM VALUE"
        }

        func bounds(
            of form: SQLColumnForm, around value: StoredValue
        ) -> (lower: SQLParameter, upper: SQLParameter)? { nil }

        func typeCheck(of column: String, as form: SQLColumnForm) -> String? { nil }

        func tableOptions(_ table: SQLTable?) -> String { "" }

        func fitting(_ name: String) -> String { PostgreSQLNames.short(name) }

        func orderTerm(_ expression: String, isDescending: Bool, isOptional: Bool) -> String {
            // Null is the smallest value.
            let nulls = isOptional ? (isDescending ? " NULLS LAST" : " NULLS FIRST") : ""
            return expression + (isDescending ? " DESC" : "") + nulls
        }

        func contains(_ expression: String, part: String) -> String {
            "strpos(\(expression), \(part)) > 0"
        }

        func bindsLists(of form: SQLColumnForm) -> Bool { !form.isOpaque }

        func isAmong(_ expression: String, list: String) -> String {
            "\(expression) = ANY(\(list))"
        }

        /// Returns an expression for the value at a path of a `jsonb` column. It is null for a value
        /// of another type, which only other programs write.
        func jsonValue(of column: String, at names: [String], as type: StoredType) -> String? {
            let keys = names.map(textLiteral).joined(separator: ", ")
            let path = "ARRAY[\(keys)]::text[]"
            let (value, text) = ("(\(column) #> \(path))", "(\(column) #>> \(path))")
            guard let base = type.base else { return nil }
            switch base.kind {
            case .bool:
                return "(CASE WHEN jsonb_typeof\(value) = 'boolean' THEN \(text)::boolean END)"
            case .integer:
                return "(CASE WHEN jsonb_typeof\(value) = 'number' THEN \(text)::numeric END)"
            case .text:
                return
                    "((CASE WHEN jsonb_typeof\(value) = 'string' THEN \(text) END) COLLATE \"C\")"
            case .uuid:
                let isUUID = "jsonb_typeof\(value) = 'string' AND \(text) ~ '^[0-9A-Fa-f-]{36}$'"
                return "(CASE WHEN \(isUUID) THEN \(text)::uuid END)"
            default: return nil
            }
        }

        func hasElement(
            _ column: String, of type: StoredType, equalTo parameter: String?
        ) -> String? {
            guard let parameter else { return "\(column) @> 'null'::jsonb" }
            guard let kind = type.base?.kind else { return nil }
            switch kind {
            case .bool, .integer, .text: return "\(column) @> to_jsonb(\(parameter))"
            // As the runtime writes it.
            case .uuid: return "\(column) @> to_jsonb(upper(\(parameter)::text))"
            default: return nil
            }
        }

        func hasMinimum(of form: SQLColumnForm) -> Bool {
            switch form {
            case .boolean, .uuid, .data: false
            default: true
            }
        }

        func sum(_ expression: String, as form: SQLColumnForm) -> String? {
            switch form {
            case .integer, .numeric: "coalesce(sum(\(expression)), 0)::numeric"
            default: nil
            }
        }
    }
#endif
