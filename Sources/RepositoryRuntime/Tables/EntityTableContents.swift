/// The contents of an ``EntityTable``, whose properties document them.
struct EntityTableContents: Sendable, Hashable {
    let name: String
    let entity: String
    let renamedFrom: [String]
    var layout: FieldLayout
    var fields: [TableField] = []
    var key: [Int] = []
    var indexes: [TableIndex] = []
    var checks: [TableCheck] = []
    var searched: [Int] = []
    var versionField: Int?
    var deletionField: Int?
    var distribution: TableDistribution?
    var creation = CreationDates.none
    var readsBeforeUpdates = false
    var hasFieldsIgnoringCase = false
    var external: [Int] = []
    var onlyRead: [Int] = []
    var sources: [String: TableSource] = [:]
    let isManaged: Bool
    let isReadOnly: Bool
}

/// The shared storage of an ``EntityTable``. Every operation gets the table from the mapper, which
/// costs one retain instead of one for each property.
///
/// `@unchecked Sendable`: the contents are mutated only while uniquely referenced, when a table is
/// built.
final class EntityTableStorage: @unchecked Sendable {
    /// The contents. Accesses are not checked at run time, because only an object with one
    /// reference is changed, and never while it is read.
    @exclusivity(unchecked) var contents: EntityTableContents

    init(_ contents: EntityTableContents) {
        self.contents = contents
    }
}
