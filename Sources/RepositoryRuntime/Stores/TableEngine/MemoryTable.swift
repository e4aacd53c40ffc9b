/// A table in memory whose entity is not known.
protocol MemoryTable: AnyObject {
    /// The table as it is now; what is written later does not change that.
    func frozen(_ forms: TableIndexForms) throws -> FrozenRows
}
