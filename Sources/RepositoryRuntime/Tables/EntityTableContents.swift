/// What an ``EntityTable`` says.
struct EntityTableContents: Sendable, Hashable {
    let name: String
    let entity: String
    let renamedFrom: [String]
    var layout: FieldLayout
    var fields: [TableField] = []
    var key: [Int] = []
    var indexes: [TableIndex] = []
    var checks: [TableCheck] = []
    var versionField: Int?
    var hasFieldsIgnoringCase = false
    let isManaged: Bool
}

/// Where it stands: every operation asks the mapper for its table, which so costs one retain and not one for each part.
///
/// `@unchecked`: it is changed only while one table alone has it, as a table is made.
final class EntityTableStorage: @unchecked Sendable {
    var contents: EntityTableContents

    init(_ contents: EntityTableContents) {
        self.contents = contents
    }
}
