#if PostgreSQL
    /// What runs single statements: a connection, the shared connections of a store, or a write.
    ///
    /// What needs nothing else takes this protocol, so that it also works where no connection is
    /// leased.
    protocol PostgreSQLRunner {
        /// Runs one statement and returns its result.
        ///
        /// - Throws: `PostgreSQLError`.
        @discardableResult
        func run(
            _ text: String, _ parameters: PostgreSQLParameters
        ) async throws -> PostgreSQLResult
    }

    extension PostgreSQLRunner {
        /// Runs one statement without parameters.
        @discardableResult
        func run(_ text: String) async throws -> PostgreSQLResult {
            try await run(text, PostgreSQLParameters())
        }
    }
#endif
