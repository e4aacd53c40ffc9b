#if PostgreSQL
    /// How the streams of a store read.
    struct PostgreSQLStreamSettings: Sendable {
        /// The time that the loop over a stream may take for half a megabyte of records before the
        /// stream gives its connection back.
        var patience = Duration.seconds(1)
        /// The number of pages after which a stream is long enough for a statement of its own.
        var fewPages = 2
        /// The number of records of each page; `nil` if it follows from their size.
        var pageSize: Int?
    }
#endif
