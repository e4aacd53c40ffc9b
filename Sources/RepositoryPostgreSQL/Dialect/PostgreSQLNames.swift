#if PostgreSQL
    internal import RepositoryRuntime

    /// Names in a database, which have at most 63 bytes. PostgreSQL cuts longer ones without an
    /// error.
    enum PostgreSQLNames {
        static let mostBytes = 63
        /// The bytes of a name to which Citus appends the number of a shard.
        static let mostBytesOnShards = 40

        /// Checks the name of a schema: two that begin with the same 63 bytes would be one.
        ///
        /// - Throws: `unsupported`.
        static func requireSchema(_ name: String?, of store: String) throws {
            guard let name, !(1...mostBytes).contains(name.utf8.count) || name.utf8.contains(0)
            else { return }
            throw CRUDRepositoryError.unsupported(
                "the name '\(name)' of a schema: it has 1 to \(mostBytes) bytes, and no U+0000",
                by: store)
        }

        /// Returns a name of an index or a constraint that fits: a long one ends with a hash of the
        /// whole name.
        static func short(_ name: String, to mostBytes: Int = mostBytes) -> String {
            guard name.utf8.count > mostBytes else { return name }
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            var kept = name
            while kept.utf8.count > mostBytes - 17 { kept.unicodeScalars.removeLast() }
            let digits = String(hash, radix: 16)
            return kept + "_" + String(repeating: "0", count: 16 - digits.count) + digits
        }
    }
#endif
