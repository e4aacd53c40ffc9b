#if PostgreSQL
    internal import RepositoryRuntime

    /// Reads the rows of a query in pages, through a cursor of the server, so that the memory is
    /// bounded.
    final class PostgreSQLCursor {
        /// The number of rows of a page.
        private static let page = 100
        private let name: String
        private let cursors: PostgreSQLCursors
        private let text: String
        private var result: PostgreSQLResult?
        private var row = 0

        fileprivate init(
            _ name: String, _ text: String, _ parameters: PostgreSQLParameters,
            _ cursors: PostgreSQLCursors
        ) throws {
            self.name = name
            self.text = text
            self.cursors = cursors
            result = try cursors.connection.runAll([
                PostgreSQLConnection.Step(
                    text: "DECLARE \(name) NO SCROLL CURSOR FOR \(text)", parameters: parameters),
                PostgreSQLConnection.Step(text: fetch),
            ]).last
        }

        deinit {
            guard result != nil else { return }
            // If this fails, the transaction has failed, and with it the migration.
            _ = try? cursors.connection.run("CLOSE \(name)")
            cursors.giveBack(name, text)
        }

        private var fetch: String { "FETCH FORWARD \(Self.page) FROM \(name)" }

        /// Returns the next row: the result that has it, and its number there; `nil` after the last
        /// one.
        func next() throws -> (result: PostgreSQLResult, row: Int)? {
            guard let current = result else { return nil }
            if row < current.count {
                defer { row += 1 }
                return (current, row)
            }
            if current.count == Self.page {
                let next = try cursors.connection.run(fetch)
                result = next
                row = 1
                if next.count > 0 { return (next, 0) }
            }
            result = nil
            try cursors.connection.run("CLOSE \(name)")
            cursors.giveBack(name, text)
            return nil
        }
    }

    /// The cursors of a migration. A query gets the name of an earlier cursor with its text, so that
    /// few statements are prepared.
    final class PostgreSQLCursors {
        fileprivate let connection: PostgreSQLBlockingConnection
        private var free: [String: [String]] = [:]

        init(_ connection: PostgreSQLBlockingConnection) { self.connection = connection }

        /// Opens a cursor.
        func open(
            _ text: String, _ parameters: PostgreSQLParameters = PostgreSQLParameters()
        ) throws -> PostgreSQLCursor {
            let name = free[text]?.popLast() ?? connection.nextCursor()
            return try PostgreSQLCursor(name, text, parameters, self)
        }

        fileprivate func giveBack(_ name: String, _ text: String) {
            free[text, default: []].append(name)
        }
    }
#endif
