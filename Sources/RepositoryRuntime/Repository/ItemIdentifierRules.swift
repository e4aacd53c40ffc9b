/// The rules for ids of items.
package enum ItemIdentifierRules {
    /// Checks an id.
    ///
    /// - Throws: `invalidIdentifier` if the id is empty or contains U+0000.
    package static func check(_ id: String) throws(CRUDRepositoryError) {
        if id.isEmpty { throw .invalidIdentifier(id, reason: "it is empty") }
        if id.utf8.contains(0) { throw .invalidIdentifier(id, reason: "it contains U+0000") }
    }
}
