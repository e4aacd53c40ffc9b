internal import StoredSchema
internal import Synchronization

/// The fills of the fields that stored documents may lack, for all reads of a store.
///
/// A field that a version has added with a fill other than its default is not written into the
/// stored documents. Their description records the fill, and documents without the field are read
/// with it. Most stores have no such field, which one atomic read shows.
final class FillReadings: Sendable {
    /// Whether there are any.
    private let isUsed = Atomic(false)
    /// How to read the documents of the tables with fills, by table.
    private let readings = Mutex<[String: EarlierReading]>([:])

    /// Returns how to read the documents of an entity; nil if its own mapper reads them correctly.
    func reading<E: Entity>(_ type: E.Type) -> EarlierReading? {
        guard isUsed.load(ordering: .relaxed) else { return nil }
        return readings.withLock { $0[E.Mapper.table.name] }
    }

    /// Takes the fills of the tables of a set from the description of the store.
    func take(_ schema: StoreSchema, from description: StoreDescription) {
        readings.withLock { readings in
            for table in schema.tables {
                let stored = description.table(table.name)?.readings ?? []
                readings[table.name] = EarlierReading(fillsOf: table, stored)
            }
            isUsed.store(!readings.isEmpty, ordering: .relaxed)
        }
    }
}

extension EarlierReading {
    /// Creates the reading for the fills of a table; nil if there are none.
    fileprivate convenience init?(fillsOf table: EntityTable, _ readings: [StoredReading]) {
        let fills = readings.filter { $0.isFill == true }
        if fills.isEmpty { return nil }
        let fields = table.layout.fields.map { field in
            let fill = fills.first { String.isSameIdentifier($0.field, field.name) }
            return EarlierFields.Field(
                names: [field.name] + field.renamedFrom, value: fill?.value, mayLack: fill != nil)
        }
        self.init(EarlierFields(fields: fields), table.layout)
    }
}
