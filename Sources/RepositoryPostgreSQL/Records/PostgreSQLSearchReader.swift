#if PostgreSQL
    internal import RepositoryRuntime
    internal import RepositorySQLCore

    /// Reads the search index of a table.
    struct PostgreSQLSearchReader<E: Entity> {
        /// The number of changed records up to which a search reads them itself.
        static var changeLimit: Int { 64 }
        /// The number of words and prefixes that one statement finds.
        private static var mostParts: Int { 64 }

        private let index: PostgreSQLSearchIndex
        private let connection: PostgreSQLConnection
        private let query: SearchQuery

        init(
            _ index: PostgreSQLSearchIndex, _ connection: PostgreSQLConnection, _ query: SearchQuery
        ) {
            self.index = index
            self.connection = connection
            self.query = query
        }

        /// Returns the records that are found; `nil` if the index is not there or does not fit the
        /// schema, or if too many records have changed since they were indexed.
        func run() async throws -> SearchHits? {
            // An error would end the transaction.
            if connection.isInTransaction, try await !isThere() { return nil }
            do {
                return try await hits()
            } catch let error as PostgreSQLError where error.state == "42P01" {
                return nil
            }
        }

        /// Returns whether the tables are there. A program with another schema may have dropped
        /// them.
        private func isThere() async throws -> Bool {
            let names =
                [PostgreSQLSearchIndex.stateTable]
                + PostgreSQLSearchIndex.tables(of: index.table.name)
            let all = names.indices.map { "to_regclass($\($0 + 1)) IS NOT NULL" }
            let found = try await connection.run(
                "SELECT \(all.joined(separator: " AND "))",
                PostgreSQLCatalog.parameters(names.map { PostgreSQLDialect().quoted($0) }))
            return found.isTrue(0, 0)
        }

        /// What the index has about the parts of the query.
        private struct Found {
            /// The changed records.
            var changed: Set<E.ID> = []
            /// The records with each part.
            var matches: [SearchTerm.Part: [E.ID: TermMatch]] = [:]
            /// Whether only records with the parts are among them.
            var isExact = true
        }

        /// Returns the records with the terms, and the changed ones, whose entries are out of date.
        private func hits() async throws -> SearchHits? {
            guard let found = try await found() else { return nil }
            var merge = SearchMerge<E.ID>(query)
            for term in query.terms where !merge.isFinished {
                merge.add(term) { found.matches[$0] ?? [:] }
            }
            let changed = try found.changed.map { try StoredValueEncoder.components(of: $0) }
            var hits = SearchHits(ranked: [], unranked: changed)
            let isExact = merge.isExact && found.isExact
            for (id, rank) in merge.results where !found.changed.contains(id) {
                let components = try StoredValueEncoder.components(of: id)
                if isExact {
                    hits.ranked.append(SearchHits.Ranked(rank: rank, id: components))
                } else {
                    hits.unranked.append(components)
                }
            }
            return hits
        }

        /// Reads the index; `nil` if it has another definition, or too many records have changed.
        private func found() async throws -> Found? {
            var found = Found()
            let parts = Array(Set(query.terms.flatMap(\.parts)))
            // The statements of a long query may read different states. Each has the changes of its
            // own, so that a record is found as it is in one of them.
            for start in stride(from: 0, to: parts.count, by: Self.mostParts) {
                let some = parts[start..<min(parts.count, start + Self.mostParts)]
                guard try await read(Array(some), &found) else { return nil }
            }
            return found
        }

        /// Reads some parts.
        ///
        /// - Returns: whether the index can be used.
        private func read(_ parts: [SearchTerm.Part], _ found: inout Found) async throws -> Bool {
            var values = [index.table.name, index.definition]
            for part in parts {
                guard part.isPrefix else {
                    values.append(PostgreSQLSearchWord.stored(part.word))
                    continue
                }
                let range = PostgreSQLSearchWord.range(of: part.word)
                values += [range.lower, range.upper]
                if !range.isExact { found.isExact = false }
            }
            let text = index.select(parts.map(\.isPrefix), changes: Self.changeLimit + 1)
            let result = try await connection.run(text, PostgreSQLCatalog.parameters(values))
            let (number, keys) = (index.table.key.count, index.table)
            var matches = parts.map { _ in [E.ID: TermMatch]() }
            var (fits, changes) = (false, 0)
            var row = PostgreSQLRow(id: result, 0, keys)
            for place in 0..<result.count {
                let part = Int(result.integer(place, number) ?? 0)
                if part == -2 {
                    fits = true
                    continue
                }
                if part == -1 { changes += 1 }
                row.row = place
                let id: E.ID
                do {
                    id = try E.ID.decodeComponents(from: &row)
                } catch is RecordDecodingError {
                    // No record is read by such an id.
                    continue
                }
                if part == -1 {
                    found.changed.insert(id)
                } else {
                    Self.add(result, place, number, to: &matches[part][id, default: TermMatch()])
                }
            }
            for (part, matches) in zip(parts, matches) { found.matches[part] = matches }
            return fits && changes <= Self.changeLimit
        }

        /// Adds the occurrences of a word in a record, which are behind the number of the part.
        private static func add(
            _ result: PostgreSQLResult, _ row: Int, _ number: Int, to match: inout TermMatch
        ) {
            match.add(
                Int(result.integer(row, number + 2) ?? 0), isWhole: result.isTrue(row, number + 4),
                field: Int(result.integer(row, number + 1) ?? 0))
            match.words = Int(result.integer(row, number + 3) ?? 0)
        }
    }
#endif
