/// A four-method repository that lists the ids of its items.
package protocol ItemListing: CRUDRepository {
    /// Returns the ids of all items, in any order.
    func itemIDs() async throws -> [String]
}
