#if Encryption
    public import RepositoryRuntime

    /// What a reencryption did.
    public struct ReencryptionReport: Sendable, Equatable {
        /// The number of documents that were written again: records, pages of indexes and chunks of
        /// external data. In a SQL store, the number of values of encrypted fields.
        public let rewritten: Int
        /// The number of stored documents by the id of their key; in a SQL store, of values of
        /// encrypted fields.
        ///
        /// A key that is missing here is used by no document, and can be removed from the ring. A
        /// damaged record keeps its key. A SQL store looks only into the tables of its open schemas.
        public let remaining: [String: Int]
    }

    extension EntityStore {
        /// Writes the documents again that have another key than the first one of the ring; in a SQL
        /// store, the values of encrypted fields.
        ///
        /// Other operations go on meanwhile. The task can be cancelled, and the process can end:
        /// the next call continues.
        ///
        /// - Parameter batch: The number of documents or records that are written while other
        ///   writers wait.
        /// - Returns: The number of documents that each key has afterwards.
        /// - Throws: `unsupported` for a store without an ``EncryptedTransformer`` or
        ///   ``FieldEncryption``, and for a read-only store; `CancellationError`.
        public func reencrypt(batch: Int = 64) async throws -> ReencryptionReport {
            var store: any EntityStore = self
            while let wrapper = store as? any EntityStoreWrapper {
                if wrapper is ReadOnlyStore {
                    throw CRUDRepositoryError.unsupported("reencryption", by: wrapper.name)
                }
                store = wrapper.store
            }
            guard let store = store as? any RewrappingStore else {
                throw CRUDRepositoryError.unsupported("reencryption", by: name)
            }
            let result = try await store.rewrap(batch: batch)
            return ReencryptionReport(rewritten: result.rewritten, remaining: result.remaining)
        }
    }
#endif
