extension [DataChange] {
    /// New ids that a function over several tables would have to follow, or that it would have to
    /// make: the function and the table with the new ids. Nil if there are none.
    ///
    /// The functions read and write records outside the pass that follows new ids. Tables are
    /// compared under all their names.
    package var idsAmongTables: (function: String, table: String)? {
        var functions: [(name: String, tables: Set<[UInt8]>)] = compactMap { change in
            guard case .tables(let old, let new, let function) = change else { return nil }
            return (function, Set((old + new.map(\.name)).map(nameBytes)))
        }
        if functions.isEmpty { return nil }
        var followed: [(places: [[UInt8]], table: String)] = []
        for change in self {
            guard case .followID(let path, _, _, let table) = change else { continue }
            followed.append(([nameBytes(path.table), nameBytes(table)], table))
        }
        if followed.isEmpty { return nil }
        // The names of one table form a chain in both directions.
        let renames = compactMap { change -> ([UInt8], [UInt8])? in
            guard case .renameTable(let old, let new) = change else { return nil }
            return (nameBytes(old), nameBytes(new))
        }
        for (old, new) in renames + renames.reversed() {
            for index in functions.indices
            where functions[index].tables.contains(old) || functions[index].tables.contains(new) {
                functions[index].tables.formUnion([old, new])
            }
        }
        for function in functions {
            for item in followed where item.places.contains(where: function.tables.contains) {
                return (function.name, item.table)
            }
        }
        return nil
    }
}

/// Returns a name as it is compared: by its UTF-8 bytes.
private func nameBytes(_ name: String) -> [UInt8] { Array(name.utf8) }
