#if PostgreSQL
    internal import RepositoryRuntime
    internal import RepositorySQLCore

    /// Compares the columns of tables that the store has created with the catalog: another program
    /// may have dropped them or changed their types.
    enum PostgreSQLStoredColumns {
        /// Returns a description of every difference.
        ///
        /// A column that holds more values than are declared is no difference, unless they are read
        /// or sorted otherwise.
        static func differences(
            _ tables: [SQLTable], _ connection: any PostgreSQLRunner
        ) async throws -> [String] {
            if tables.isEmpty { return [] }
            let found = try await columns(tables, connection)
            return tables.flatMap { table in
                table.columns.compactMap { column in
                    let place = "the column '\(column.name)' of '\(table.name)'"
                    guard let stored = found[table.name]?[column.name] else {
                        return "\(place) is gone from the database"
                    }
                    return difference(stored, column.form).map { "\(place) \($0)" }
                }
            }
        }

        private struct CatalogColumn {
            let type: UInt32
            let declaredType: String
            let modifier: Int64
            let collation: String?
            let isDomain: Bool
        }

        /// Returns the columns of tables, by the names of tables and columns.
        private static func columns(
            _ tables: [SQLTable], _ connection: any PostgreSQLRunner
        ) async throws -> [String: [String: CatalogColumn]] {
            var parameters = PostgreSQLParameters()
            PostgreSQLValues.append(tables.map(\.name), to: &parameters)
            let result = try await connection.run(
                """
                SELECT c.relname::text, a.attname::text, a.atttypid::bigint, \
                format_type(a.atttypid, a.atttypmod), a.atttypmod, l.collname::text, \
                t.typtype = 'd' FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid \
                JOIN pg_namespace AS n ON n.oid = c.relnamespace \
                JOIN pg_type AS t ON t.oid = a.atttypid \
                LEFT JOIN pg_collation AS l ON l.oid = a.attcollation \
                WHERE n.nspname = current_schema() AND c.relname = ANY($1::name[]) \
                AND a.attnum > 0 AND NOT a.attisdropped
                """, parameters)
            var columns: [String: [String: CatalogColumn]] = [:]
            for row in 0..<result.count {
                columns[result.text(row, 0) ?? "", default: [:]][result.text(row, 1) ?? ""] =
                    CatalogColumn(
                        type: UInt32(truncatingIfNeeded: result.integer(row, 2) ?? 0),
                        declaredType: result.text(row, 3) ?? "",
                        modifier: result.integer(row, 4) ?? -1, collation: result.text(row, 5),
                        isDomain: result.isTrue(row, 6))
            }
            return columns
        }

        /// Returns what makes a column unfit for a representation; `nil` if it is fit.
        private static func difference(_ column: CatalogColumn, _ form: SQLColumnForm) -> String? {
            // Rows have the values of the domain's own type, which the server converts.
            if column.isDomain { return nil }
            let declared = PostgreSQLDialect().typeName(form)
            let instead = "has the type \(column.declaredType) instead of \(declared)"
            switch PostgreSQLValues.type(form) {
            case PostgreSQLType.text:
                let isText =
                    column.type == PostgreSQLType.text
                    || column.type == PostgreSQLType.varchar && column.modifier < 0
                guard isText else { return instead }
                let byBytes = [nil, "C", "POSIX", "ucs_basic"].contains(column.collation)
                return byBytes
                    ? nil
                    : "has the collation '\(column.collation ?? "")', which does not compare bytes"
            case let type where Self.widths[type] != nil:
                let (found, least) = (Self.widths[column.type] ?? 0, Self.widths[type] ?? 0)
                return found >= least ? nil : instead
            case PostgreSQLType.numeric:
                guard column.type == PostgreSQLType.numeric else { return instead }
                // Without a modifier, it holds all numbers.
                if column.modifier < 0 { return nil }
                // `format_type` writes no space.
                return column.declaredType == declared.replacing(", ", with: ",") ? nil : instead
            case let type: return column.type == type ? nil : instead
            }
        }

        /// The bits of the integer types.
        private static let widths: [UInt32: Int] = [
            PostgreSQLType.int2: 16, PostgreSQLType.int4: 32, PostgreSQLType.int8: 64,
        ]
    }
#endif
