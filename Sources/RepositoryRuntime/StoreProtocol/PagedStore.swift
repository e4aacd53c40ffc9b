/// A store for which each page of a reading costs a round trip, so that larger pages are faster.
package protocol PagedStore: EntityStore {
    /// Returns the number of records that a page should have, so that it fits into memory well.
    ///
    /// - Parameter usual: the number for other stores.
    func pageSize<E: Entity>(_ type: E.Type, usual: Int) -> Int
}
