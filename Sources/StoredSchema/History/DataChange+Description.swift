extension DataChange {
    /// Changes the description of stored data as the migration changes the data itself.
    ///
    /// A change of something that is not described is ignored: comparing the result with the
    /// declared schema reports what is missing. Indexes and checks over a changed field are kept,
    /// because comparing rebuilds them.
    package func apply(to tables: inout [StoredTable]) {
        switch self {
        case .renameTable(let old, let new):
            for index in tables.indices where UTF8Order.areEqual(tables[index].name, old) {
                tables[index].name = new
            }
            tables.changeFields { field in
                guard let reference = field.reference, UTF8Order.areEqual(reference.table, old)
                else { return }
                field.reference?.table = new
            }
        case .removeTable(let name):
            tables.removeAll { UTF8Order.areEqual($0.name, name) }
        case .rename(let path, let name):
            tables.changeTable(path.table) { table in
                if path.steps.count == 1 {
                    table.renameField(path.steps[0], to: name)
                } else {
                    table.changeMembers(path) { members in
                        members.changeMember(path.name) { $0.name = name }
                    }
                    let outer = path.steps.dropLast()
                    let (old, new) = (path.steps.joined(separator: "."), outer + [name])
                    for index in table.indexes.indices {
                        table.indexes[index].rename([old: new.joined(separator: ".")])
                    }
                }
            }
        case .remove(let path):
            tables.changeTable(path.table) { table in
                if path.steps.count == 1 {
                    table.removeField(path.steps[0])
                } else {
                    table.changeMembers(path) { members in
                        members.removeAll { UTF8Order.areEqual($0.name, path.name ?? "") }
                    }
                }
            }
        case .add(let path, let shape, let isOptional, _),
            .addByCode(let path, let shape, let isOptional, _):
            add(path, shape, isOptional: isOptional, to: &tables)
        case .require(let path, _), .requireByCode(let path, _):
            tables.changeValue(path) { $0.isOptional = false }
        case .convert(let path, let shape, let isOptional, let cases, _):
            tables.changeValue(path) {
                ($0.type, $0.isOptional, $0.cases) = (shape, isOptional, cases)
            }
        case .convertByCode(let path, let shape, let isOptional, _),
            .followID(let path, let shape, let isOptional, _):
            tables.changeValue(path) {
                ($0.type, $0.isOptional, $0.cases) = (shape, isOptional, nil)
            }
        case .replaceCases(let path, let replacements):
            tables.changeValue(path) { value in
                guard let cases = value.cases else { return }
                value.cases = Set(cases.map { replacements[$0] ?? $0 })
                    .sorted(by: UTF8Order.precedes)
            }
        case .changeKey(let name, let fields):
            tables.changeTable(name) { $0.key = fields }
        case .records(let name, let fields, _):
            tables.changeTable(name) { $0.fields = fields }
        case .tables(let names, let new, _):
            tables.removeAll { table in names.contains { UTF8Order.areEqual($0, table.name) } }
            tables += new
        }
    }

    /// Adds a field, or a member of an embedded value.
    private func add(
        _ path: DataPath, _ shape: StoredShape, isOptional: Bool, to tables: inout [StoredTable]
    ) {
        guard let name = path.name else { return }
        tables.changeTable(path.table) { table in
            if path.steps.count == 1 {
                table.removeField(name)
                table.fields.append(
                    StoredField(name: name, columns: [], type: shape, isOptional: isOptional))
            } else {
                table.changeMembers(path) { members in
                    members.removeAll { UTF8Order.areEqual($0.name, name) }
                    members.append(StoredMember(name: name, type: shape, isOptional: isOptional))
                }
            }
        }
    }
}

extension [StoredTable] {
    fileprivate mutating func changeTable(_ name: String, _ change: (inout StoredTable) -> Void) {
        for index in indices where UTF8Order.areEqual(self[index].name, name) {
            change(&self[index])
        }
    }

    fileprivate mutating func changeFields(_ change: (inout StoredField) -> Void) {
        for table in indices {
            for field in self[table].fields.indices { change(&self[table].fields[field]) }
        }
    }

    /// Changes the type of a field or member, including elements of a list or map.
    fileprivate mutating func changeValue(
        _ path: DataPath, _ change: (inout StoredMember) -> Void
    ) {
        changeTable(path.table) { $0.changeValue(path, change) }
    }
}

extension StoredTable {
    fileprivate mutating func renameField(_ old: String, to new: String) {
        for index in fields.indices where UTF8Order.areEqual(fields[index].name, old) {
            fields[index].name = new
        }
        func renamed(_ name: String) -> String { UTF8Order.areEqual(name, old) ? new : name }
        key = key.map(renamed)
        version = version.map(renamed)
        deletion = deletion.map(renamed)
        for index in indexes.indices { indexes[index].rename([old: new]) }
    }

    fileprivate mutating func removeField(_ name: String) {
        fields.removeAll { UTF8Order.areEqual($0.name, name) }
        if let version, UTF8Order.areEqual(version, name) { self.version = nil }
        // `deletion` keeps the name, because deleted records must not come back.
        indexes.removeAll { $0.contains(field: name) }
    }

    /// Changes the members of the embedded value that contains the last step of a path.
    fileprivate mutating func changeMembers(
        _ path: DataPath, _ change: (inout [StoredMember]) -> Void
    ) {
        guard let field = path.field, path.steps.count > 1 else { return }
        for index in fields.indices where UTF8Order.areEqual(fields[index].name, field) {
            fields[index].type.changeMembers(path.steps.dropFirst().dropLast()[...], change)
        }
    }

    fileprivate mutating func changeValue(
        _ path: DataPath, _ change: (inout StoredMember) -> Void
    ) {
        guard let last = path.name else { return }
        if path.steps.count == 1 {
            for index in fields.indices where UTF8Order.areEqual(fields[index].name, last) {
                var value = fields[index].asMember
                change(&value)
                fields[index].type = value.type
                fields[index].isOptional = value.isOptional
                fields[index].cases = value.cases
            }
        } else if last == DataPath.elements || last == DataPath.mapValues {
            changeContents(path, change)
        } else {
            changeMembers(path) { members in
                members.changeMember(last, change)
            }
        }
    }

    /// Changes the elements of a list or the values of a map. The cases of their enum belong to the
    /// field or member that contains the list.
    private mutating func changeContents(
        _ path: DataPath, _ change: (inout StoredMember) -> Void
    ) {
        let outer = DataPath(path.table, path.steps.dropLast())
        changeValue(outer) { value in
            switch value.type {
            case .list(let element, let isOptional):
                let inner = value.changingContents(element, isOptional, change)
                value.type = .list(inner.type, optionalElements: inner.isOptional)
            case .map(let element, let isOptional):
                let inner = value.changingContents(element, isOptional, change)
                value.type = .map(inner.type, optionalElements: inner.isOptional)
            case .single, .composite, .object: break
            }
        }
    }
}

extension StoredShape {
    /// Changes the members of the embedded value at the end of a path.
    fileprivate mutating func changeMembers(
        _ steps: ArraySlice<String>, _ change: (inout [StoredMember]) -> Void
    ) {
        switch self {
        case .single: break
        case .composite(var members):
            guard steps.isEmpty else { return }
            change(&members)
            self = .composite(members)
        case .object(var members):
            if let step = steps.first {
                members.changeMember(step) { $0.type.changeMembers(steps.dropFirst(), change) }
            } else {
                change(&members)
            }
            self = .object(members)
        case .list(var element, let isOptional):
            element.changeMembers(steps.dropFirst(), change)
            self = .list(element, optionalElements: isOptional)
        case .map(var element, let isOptional):
            element.changeMembers(steps.dropFirst(), change)
            self = .map(element, optionalElements: isOptional)
        }
    }
}

extension [StoredMember] {
    fileprivate mutating func changeMember(
        _ name: String?, _ change: (inout StoredMember) -> Void
    ) {
        guard let name else { return }
        for index in indices where UTF8Order.areEqual(self[index].name, name) {
            change(&self[index])
        }
    }
}

extension StoredMember {
    /// Changes the elements of a list or map, whose cases are those of the list or map.
    ///
    /// - Returns: the type of the elements after the change.
    fileprivate mutating func changingContents(
        _ element: StoredShape, _ isOptional: Bool, _ change: (inout StoredMember) -> Void
    ) -> StoredMember {
        var inner = StoredMember(name: name, type: element, isOptional: isOptional, cases: cases)
        change(&inner)
        cases = inner.cases
        return inner
    }
}
