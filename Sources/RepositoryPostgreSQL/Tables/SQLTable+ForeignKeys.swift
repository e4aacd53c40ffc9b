#if PostgreSQL
    internal import RepositoryRuntime
    internal import RepositorySQLCore

    /// The foreign keys of tables that Citus distributes.
    extension SQLTable {
        /// The columns of the foreign key of a reference between distributed tables.
        ///
        /// Citus requires that a foreign key contains the columns by which both tables are
        /// distributed. Both have the same value there, so that the table's own column takes the
        /// place of the component of the reference:
        ///
        /// ```sql
        /// FOREIGN KEY ("tenant", "book_number") REFERENCES "books" ("tenant", "number")
        /// ```
        func keyColumns(of reference: SQLReference) -> [String] {
            guard case .field(let own)? = entity.distribution, reference.columns.count > 1,
                let target = related(reference.table),
                case .field(let other)? = target.entity.distribution,
                let position = target.key.firstIndex(of: target.offsets[other]),
                reference.columns.indices.contains(position)
            else { return reference.columns }
            var names = reference.columns
            names[position] = columns[offsets[own]].name
            return names
        }

        /// The name and condition of the check that the record to which a reference leads is on the
        /// same node; `nil` if its foreign key needs no other columns.
        func nodeCheck(
            of reference: SQLReference
        ) -> (name: String, condition: String)? {
            let pairs = zip(reference.columns, keyColumns(of: reference)).filter { $0.0 != $0.1 }
            guard let pair = pairs.first else { return nil }
            let dialect = PostgreSQLDialect()
            return (
                constraintName("\(Self.nodeCheckPrefix)\(fieldName(reference.field))"),
                "\(dialect.quoted(pair.0)) = \(dialect.quoted(pair.1))"
            )
        }

        /// What the names of such checks begin with.
        static var nodeCheckPrefix: String { "node of " }

        /// The reference whose check of the node has a name; `nil` if there is none.
        func reference(checkedBy name: String?) -> SQLReference? {
            guard let name, name.hasPrefix(Self.nodeCheckPrefix) else { return nil }
            return references.first { nodeCheck(of: $0)?.name == name }
        }

        /// Returns the reference with a foreign key over some columns; `nil` if there is none.
        func reference(over columns: [String]?) -> SQLReference? {
            guard let columns else { return nil }
            return references.first { $0.columns == columns || keyColumns(of: $0) == columns }
        }

        /// Returns the name of a unique index or a foreign key in the database.
        ///
        /// Citus appends the number of a shard, and shortens names that are too long then.
        func constraintName(_ name: String) -> String {
            PostgreSQLNames.short(
                name,
                to: entity.distribution == nil
                    ? PostgreSQLNames.mostBytes : PostgreSQLNames.mostBytesOnShards)
        }

        /// Returns the name of the foreign key of a reference.
        func constraintName(of reference: SQLReference) -> String {
            constraintName("\(name)_\(reference.columns.joined(separator: "_"))_fkey")
        }
    }
#endif
