extension SchemaReader {
    /// Reads the description of a table of formats 10 and later.
    func clusteredTable(_ name: String, _ ref: UInt64) throws(RealmFileError) -> RealmClass {
        let top = try reader.refs(reader.node(ref))
        guard top.count >= 10 else {
            throw .damaged("table \(name): top array of \(top.count) entries")
        }
        let flags = top.count > 12 ? try top[ref: 12].asNumber() & 3 : 0
        guard flags < 3 else {
            throw RealmFileError(.unknownContent, "table \(name): the unknown kind \(flags)")
        }
        guard let tableKey = UInt32(exactly: try top[ref: 3].asNumber()), tableKey < 0x7FFF_FFFF
        else { throw .damaged("table \(name): its key is out of range") }
        let indexes = try reader.refs(at: top[ref: 4])
        let targets = try reader.integers(at: top[ref: 7])
        let spec = try reader.refs(reader.node(top[ref: 0].asRef()))
        guard spec.count >= 6 else {
            throw .damaged("table \(name): spec of \(spec.count) entries")
        }
        let types = try reader.integers(reader.node(spec[ref: 0].asRef()))
        let names = try self.names(spec[ref: 1])
        let attributes = try reader.integers(at: spec[ref: 2])
        let enumerations = try reader.refs(at: spec[ref: 4])
        let keys = try reader.integers(reader.node(spec[ref: 5].asRef()))
        guard types.count == keys.count, types.count <= Self.columnLimit else {
            throw .damaged("table \(name): \(types.count) types of columns, \(keys.count) keys")
        }
        // The tagged 0 is the key of a column, too.
        let primaryKey =
            top.count > 11 && top[ref: 11] != 0 ? try top[ref: 11].asNumber() : nil
        var places: Set<Int> = []
        var columns: [(index: Int, column: RealmProperty)] = []
        var primary: Int?
        for index in 0..<types.count {
            let key = UInt64(bitPattern: keys[index])
            let place = Int(key & 0xFFFF)
            guard places.insert(place).inserted else {
                throw .damaged("table \(name): two columns at place \(place)")
            }
            let number = Int(types[index] & 0xFFFF)
            if number == RealmType.backlink.rawValue { continue }
            guard index < names.count else {
                throw .damaged("table \(name): column \(index) has no name")
            }
            let bits = key >> 22
            var column = RealmProperty(
                name: names[index], type: try type(number, of: name), isNullable: bits & 16 != 0,
                collection: Self.collection(bits), place: place)
            if column.type == .enumeratedString { column.type = .string }
            if column.type == .linkList { (column.type, column.collection) = (.link, .list) }
            if column.collection == .dictionary {
                var keyType = types[index] >> 16
                // Where the first betas of format 21 have it.
                if reader.format == 21, keyType == 0, index < attributes.count {
                    keyType = attributes[index] >> 8
                }
                column.keyType = try type(Int(keyType), of: name)
                guard column.keyType == .string || column.keyType == .int else {
                    throw RealmFileError(
                        .unknownContent,
                        "table \(name): keys of the unknown type \(keyType) in \(column.name)")
                }
            }
            column.isIndexed = place < indexes.count && indexes[ref: place] != 0
            if index < enumerations.count {
                column.enumerationRef = try enumerations[ref: index].asRef()
            }
            if column.type == .link || column.type == .typedLink, place < targets.count {
                column.target = UInt32(exactly: targets[place]).flatMap {
                    $0 < 0x7FFF_FFFF ? $0 : nil
                }
            }
            if primaryKey == key { primary = columns.count }
            columns.append((index, column))
        }
        let properties = Self.named(columns)
        return RealmClass(
            tableName: name, key: tableKey,
            kind: [.object, .embedded, .asymmetric][Int(flags)], properties: properties,
            primaryKey: primary.map { properties[$0].name }, data: try top[ref: 2].asRef())
    }

    private static func collection(_ attributes: UInt64) -> RealmProperty.Collection? {
        if attributes & 32 != 0 { return .list }
        if attributes & 64 != 0 { return .dictionary }
        return attributes & 128 != 0 ? .set : nil
    }
}
