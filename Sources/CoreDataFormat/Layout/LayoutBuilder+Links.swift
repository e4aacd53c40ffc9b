extension LayoutBuilder {
    /// Finds how relationships to many are stored: by the column of the other side, by one of their
    /// own in the table of the other side, or by a table of links.
    mutating func placeLinks() {
        for entity in model.order() {
            guard let number = layout.numbers[entity.name] else { continue }
            for property in entity.sortedProperties
            where property.isOwn && property.isToMany && !property.isTransient {
                let label = "\(entity.name).\(property.name)"
                guard let destination = property.destination.flatMap({ model.entities[$0] }) else {
                    layout.problems.append("\(label): no entity \(property.destination ?? "?")")
                    continue
                }
                let inverse = property.inverse.flatMap { destination.properties[$0] }
                if let inverse {
                    if inverse.isTransient { continue }
                    if inverse.isToOne {
                        placeByInverse(entity, property, destination, inverse)
                    } else {
                        placeByTable(entity, property, destination, inverse)
                    }
                } else {
                    placeByOwner(entity, number, property, destination)
                }
            }
        }
    }

    private mutating func use(_ table: String, _ column: String) {
        used[table, default: []].insert(column)
        expected[table, default: [:]][column] = "INTEGER"
    }

    private func columns(_ table: String) -> [String] {
        store.tables[table, default: []].map(\.name)
    }

    private mutating func placeByInverse(
        _ entity: ModelEntity, _ property: ModelProperty, _ destination: ModelEntity,
        _ inverse: ModelProperty
    ) {
        let label = "\(entity.name).\(property.name)"
        guard let table = layout.tables[destination.name],
            let column = layout.place(destination.name, inverse.name, in: model)?.column
        else {
            layout.problems.append("\(label): its inverse has no column")
            return
        }
        var place = StoreLayout.Place()
        place.links = .column(entity: destination.name, column: column)
        if property.isOrdered {
            let wanted = "Z_FOK_" + column.dropFirst()
            place.orderColumn = ColumnName.find(wanted, in: columns(table))
            if let found = place.orderColumn {
                use(table, found)
            } else {
                layout.problems.append("\(label) is ordered, but \(table) has no \(wanted)")
            }
        }
        layout.places[entity.name, default: [:]][property.name] = place
    }

    private mutating func placeByOwner(
        _ entity: ModelEntity, _ number: Int, _ property: ModelProperty, _ destination: ModelEntity
    ) {
        let label = "\(entity.name).\(property.name)"
        let name = property.name.uppercased()
        let table = layout.tables[destination.name] ?? ""
        let all = columns(table)
        var column = ColumnName.find("Z\(number)\(name)", in: all)
        if column == nil {
            let similar = all.filter {
                guard let rest = ColumnName.numbered($0, prefix: "Z")?.rest else { return false }
                return ColumnName.isNumbered(rest, after: name)
            }
            column = similar.count == 1 ? similar[0] : nil
        }
        guard let column else {
            layout.problems.append(
                "\(label) has no inverse, and no column in \(table.isEmpty ? "any table" : table)")
            return
        }
        use(table, column)
        var place = StoreLayout.Place()
        place.links = .column(entity: destination.name, column: column)
        place.orderColumn = ColumnName.find("Z_FOK_" + column.dropFirst(), in: all)
        if let order = place.orderColumn {
            use(table, order)
        } else if property.isOrdered {
            layout.problems.append("\(label) is ordered, but \(table) has no column for the order")
        }
        // The entity of the owner, where it has several.
        let entityColumns = ["Z\(number)_\(column.dropFirst())", "Z\(number)_\(name)"]
        if let found = entityColumns.compactMap({ ColumnName.find($0, in: all) }).first {
            use(table, found)
        }
        layout.places[entity.name, default: [:]][property.name] = place
    }

    /// Finds the table of links `Z_<n><NAME>` by its two columns, which say more than its name.
    private mutating func placeByTable(
        _ entity: ModelEntity, _ property: ModelProperty, _ destination: ModelEntity,
        _ inverse: ModelProperty
    ) {
        let other = model.declaring(destination.name, inverse.name)
        let (own, far) = (property.name.uppercased(), inverse.name.uppercased())
        let ownNumber = layout.numbers[entity.name] ?? -1
        let farNumber = layout.numbers[other] ?? -1
        let isReflexive = entity.name == other && property.name == inverse.name
        var found: [(table: String, own: String, other: String, order: String?)] = []
        for (table, columns) in store.tables {
            guard let (number, rest) = ColumnName.numbered(table, prefix: "Z_"),
                rest == own && number == ownNumber || rest == far && number == farNumber
            else { continue }
            let names = columns.map(\.name)
            let mine = names.filter {
                ColumnName.isNumbered($0, after: "Z_\(ownNumber)\(far)")
            }
            let others = names.filter {
                isReflexive
                    ? $0 == "REFLEXIVE"
                    : ColumnName.isNumbered($0, after: "Z_\(farNumber)\(own)")
            }
            guard mine.count == 1, others.count == 1, mine != others else { continue }
            let order = names.first { $0 == "Z_FOK_" + others[0].dropFirst(2) }
            found.append((table, mine[0], others[0], order))
        }
        let label = "\(entity.name).\(property.name)"
        guard found.count == 1, let links = found.first else {
            layout.problems.append(
                "\(label) ↔ \(other).\(inverse.name): \(found.count) tables of links")
            return
        }
        if property.isOrdered, links.order == nil {
            layout.problems.append(
                "\(label) is ordered, but \(links.table) has no column for the order")
        }
        use(links.table, links.own)
        use(links.table, links.other)
        if let order = links.order { use(links.table, order) }
        var place = StoreLayout.Place()
        place.orderColumn = links.order
        place.links = .table(
            entity: other, table: links.table, own: links.own, other: links.other,
            isReflexive: isReflexive)
        layout.places[entity.name, default: [:]][property.name] = place
    }
}
