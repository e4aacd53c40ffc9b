/// What a text must be to name a record.
package enum ItemIdentifierRules {
    /// Checks an id.
    ///
    /// - Throws: `invalidIdentifier` when it is empty or holds U+0000.
    package static func check(_ id: String) throws(CRUDRepositoryError) {
        if id.isEmpty { throw .invalidIdentifier(id, reason: "it is empty") }
        if id.utf8.contains(0) { throw .invalidIdentifier(id, reason: "it holds U+0000") }
    }
}
