#if PostgreSQL
    internal import RepositoryRuntime
    internal import RepositorySQLCore

    /// What a store was created with.
    struct PostgreSQLStoreOptions: Sendable {
        @Unreflected var address: String
        var schema: String?
        var connections: Int
        var connectTimeout: Duration
        var waitTimeout: Duration
        var statementTimeout: Duration?
        var answerTimeout: Duration?
        var lockTimeout: Duration
        var exactlyOnce: Bool
        var observing: Bool
        var encryption: (any FieldCipher)?
        /// Is called with the text of each statement, except those of migrations.
        var onStatement: (@Sendable (String) -> Void)?
        /// How streams read.
        var streams = PostgreSQLStreamSettings()
    }
#endif
