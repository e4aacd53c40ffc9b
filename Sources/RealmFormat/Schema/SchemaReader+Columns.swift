extension SchemaReader {
    /// Reads the description of a table of formats up to 9.
    func columnTable(
        _ name: String, _ index: Int, _ ref: UInt64
    ) throws(RealmFileError) -> RealmClass {
        let top = try reader.refs(reader.node(ref))
        guard top.count < 12 else {
            throw RealmFileError(
                .halfUpgraded,
                "table \(name): an upgrade of the file from format \(reader.format) was "
                    + "interrupted; the app that began it can finish it")
        }
        guard top.count == 2 else {
            throw .damaged("table \(name): top array of \(top.count) entries")
        }
        return RealmClass(
            tableName: name, key: UInt32(index), kind: .object,
            properties: try columns(top[ref: 0].asRef(), of: name), primaryKey: nil,
            data: try top[ref: 1].asRef())
    }

    /// Reads the columns of a table, or of a table inside a row.
    func columns(
        _ ref: UInt64, of table: String, depth: Int = 0
    ) throws(RealmFileError) -> [RealmProperty] {
        guard depth <= CollectionReader.nestingLimit else {
            throw .damaged("table \(table): tables are nested too deep")
        }
        let spec = try reader.refs(reader.node(ref))
        guard 3...6 ~= spec.count else {
            throw .damaged("table \(table): spec of \(spec.count) entries")
        }
        let types = try reader.integers(reader.node(spec[ref: 0].asRef()))
        let names = try self.names(spec[ref: 1])
        let attributes = try reader.integers(reader.node(spec[ref: 2].asRef()))
        let inner = spec.count > 3 ? try reader.refs(at: spec[ref: 3]) : IntegerArray()
        let values = spec.count > 4 ? try reader.refs(at: spec[ref: 4]) : IntegerArray()
        guard types.count == attributes.count, types.count <= Self.columnLimit else {
            throw .damaged("table \(table): types and attributes of columns differ in number")
        }
        // Entries and values belong to the columns that have one, in their order.
        var (place, nextInner, nextValues) = (0, 0, 0)
        func next(_ array: IntegerArray, _ index: inout Int) throws(RealmFileError) -> UInt64 {
            guard index < array.count else {
                throw .damaged("table \(table): a column has no target or no values")
            }
            index += 1
            return array[ref: index - 1]
        }
        var columns: [(index: Int, column: RealmProperty)] = []
        for index in 0..<types.count {
            let isIndexed = attributes[index] & 1 != 0
            defer { place += isIndexed ? 2 : 1 }  // An index has a place of its own.
            let type = try type(Int(clamping: types[index]), of: table)
            if type == .backlink {
                nextInner += 2
                continue
            }
            guard index < names.count else {
                throw .damaged("table \(table): column \(index) has no name")
            }
            var column = RealmProperty(
                name: names[index], type: type, isNullable: attributes[index] & 16 != 0,
                isIndexed: isIndexed, place: place)
            switch type {
            case .table:
                column.columns = try self.columns(
                    next(inner, &nextInner).asRef(), of: table, depth: depth + 1)
            case .link:
                column.target = UInt32(clamping: try next(inner, &nextInner).asNumber())
                column.isNullable = true
            case .linkList:
                column.target = UInt32(clamping: try next(inner, &nextInner).asNumber())
                (column.type, column.collection) = (.link, .list)
            case .enumeratedString:
                column.enumerationRef = try next(values, &nextValues).asRef()
                guard column.enumerationRef != 0 else {
                    throw .damaged("table \(table): column \(column.name) has no values")
                }
                column.type = .string
            case .objectID, .uuid, .decimal, .typedLink:
                throw RealmFileError(
                    .unknownContent,
                    "table \(table): column \(column.name) has a type that format "
                        + "\(reader.format) does not know")
            default: break
            }
            columns.append((index, column))
        }
        return Self.named(columns).map(Self.unwrapped)
    }

    /// Turns a table with one unnamed column into a list, as SDKs do.
    private static func unwrapped(_ column: RealmProperty) -> RealmProperty {
        guard let inner = column.columns, inner.count == 1, inner[0].name == "!ARRAY_VALUE",
            inner[0].collection == nil, inner[0].columns == nil
        else { return column }
        var list = column
        (list.type, list.isNullable, list.collection) = (inner[0].type, inner[0].isNullable, .list)
        list.isSubtableList = true
        return list
    }
}
