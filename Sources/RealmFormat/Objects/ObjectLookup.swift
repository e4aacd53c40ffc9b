/// Reads single objects by their keys: those that links refer to.
///
/// Some hundred clusters are in memory. It is not `Sendable`: each task has a lookup of its own.
package final class ObjectLookup {
    private struct Place: Hashable {
        let ref: UInt64
        let column: Int?
    }

    /// The most clusters that are held.
    private static let limit = 128

    private let cache: BlockCache
    private let format: Int
    private var clusters: [Place: RowsOfCluster] = [:]
    private var order: [Place] = []
    private var next = 0
    /// The values of columns of formats up to 9, by the key of the table.
    private var columns: [UInt32: [RealmValue]] = [:]

    init(_ pages: DataPages, format: Int) {
        cache = BlockCache(pages)
        self.format = format
    }

    /// Returns an object; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - key: the key of the object.
    ///   - table: the class, of formats 10 and later.
    package func object(
        _ key: Int64, of table: RealmClass
    ) throws(RealmFileError) -> RealmObject? {
        guard let (rows, row) = try find(key, of: table, column: nil) else { return nil }
        // Each row is read with limits of its own, because it may be read again.
        return try rows.object(row, reader)
    }

    /// Returns the value of a property; `nil` if there is no such object.
    ///
    /// - Parameters:
    ///   - property: the index of the property.
    ///   - key: the key of the object.
    ///   - table: the class.
    package func value(
        of property: Int, _ key: Int64, of table: RealmClass
    ) throws(RealmFileError) -> RealmValue? {
        guard format < 10 else {
            guard let (rows, row) = try find(key, of: table, column: property) else { return nil }
            return try rows.object(row, reader).values[property]
        }
        if columns[table.key] == nil {
            var values: [RealmValue] = []
            var objects = try ObjectReader(table, reader)
            while let object = try objects.next() { values.append(object.values[property]) }
            columns[table.key] = values
        }
        let values = columns[table.key] ?? []
        return key >= 0 && key < Int64(values.count) ? values[Int(key)] : nil
    }

    private var reader: NodeReader { NodeReader(cache, format: format) }

    private func find(
        _ key: Int64, of table: RealmClass, column: Int?
    ) throws(RealmFileError) -> (RowsOfCluster, Int)? {
        guard format >= 10, table.data != 0 else { return nil }
        let reader = reader
        var place = (ref: table.data, offset: UInt64(0))
        for _ in 0..<TreeLeaves.depthLimit {
            let known = Place(ref: place.ref, column: column)
            if let rows = clusters[known] { return rows.row(of: key).map { (rows, $0) } }
            switch try ClusterNode(place.ref, offset: place.offset, reader) {
            case .cluster(let cluster):
                let rows = try RowsOfCluster(cluster, table, only: column, reader)
                remember(rows, at: known)
                return rows.row(of: key).map { (rows, $0) }
            case .inner(let level):
                guard let child = try level.child(of: key) else { return nil }
                place = child
            }
        }
        throw .damaged("a cluster tree is nested too deep")
    }

    private func remember(_ rows: RowsOfCluster, at place: Place) {
        if order.count < Self.limit {
            order.append(place)
        } else {
            clusters[order[next]] = nil
            order[next] = place
            next = (next + 1) % Self.limit
        }
        clusters[place] = rows
    }
}
