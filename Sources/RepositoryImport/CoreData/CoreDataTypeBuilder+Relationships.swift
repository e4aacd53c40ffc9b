internal import CoreDataFormat
internal import RepositoryGeneratorCore
internal import RepositorySchema

/// Relationships.
extension CoreDataTypeBuilder {
    mutating func addRelationship(
        _ index: Int, _ member: CoreDataRecords.Member, _ subject: String,
        to type: inout ObjectTypeDraft
    ) {
        let property = member.property
        guard let destination = property.destination, let target = types[destination] else {
            type.notes.append(
                Note(subject: subject, text: "refers to an entity that is not described"))
            return
        }
        let inverse = property.inverse.flatMap {
            file.store.model.entities[destination]?.properties[$0]
        }
        guard property.isToOne else {
            if let inverse, inverse.isToMany {
                addJoin(index, member, inverse, destination, target, to: &type)
            }
            return
        }
        let facts = file.facts(record.covered, property.name)
        if let inverse, inverse.isToOne {
            guard isStoredHere(member, inverse, destination) else {
                type.notes.append(
                    Note(
                        subject: subject,
                        text: "the other side, \(destination).\(inverse.name), is taken"))
                return
            }
        }
        let isOptional =
            property.isOptional || facts.nullCount > 0 || member.isPartial
        var field = ObjectFieldDraft(
            column: index, name: name(index, member.name), type: target + (isOptional ? "?" : ""),
            from: "\(origin).\(member.path)",
            report:
                "relationship \(SQLText.shown(property.name)) to \(SQLText.shown(destination)), "
                + "\(facts.count) of \(facts.count + facts.nullCount)")
        field.target = target
        if facts.danglingCount > 0 {
            field.notes.append(
                Note(
                    subject: "dangling", text: "\(facts.danglingCount) to objects that do not exist"
                ))
        }
        if refusals[.rule(origin, index)] == nil {
            field.options.append(("onDelete", Self.onDelete(inverse, isOptional)))
            if let inverse, inverse.isToOne,
                file.isUnique(
                    record.covered.first ?? origin, [property.name], withChildren: record.isTree)
            {
                field.options.append(("unique", "true"))
            }
        }
        // Core Data has an index of each relationship; an order has one of its own.
        if let inverse, inverse.isToMany, !inverse.isOrdered,
            refusals[.option(origin, index, "index")] == nil
        {
            field.options.append(("index", "true"))
        }
        type.fields.append(field)
        if inverse?.isOrdered == true { addPosition(index, field, to: &type) }
    }

    /// Adds the order of an object among those of its owner.
    private mutating func addPosition(
        _ index: Int, _ owner: ObjectFieldDraft, to type: inout ObjectTypeDraft
    ) {
        let wanted = taken.contains("position") ? owner.name + "Position" : "position"
        let position = ObjectFieldDraft(
            column: 1_000 + index, name: uniqueName(wanted),
            type: owner.type.hasSuffix("?") ? "Int?" : "Int",
            from: owner.from.map { $0 + "#position" }, report: "its number among those of the owner"
        )
        type.fields.append(position)
        type.indexes.append([owner.name, position.name])
    }

    /// The rule that the owner declares, at the side that refers to it.
    private static func onDelete(_ inverse: ModelProperty?, _ isOptional: Bool) -> String {
        switch inverse?.deleteRule ?? .nullify {
        case .cascade: "cascade"
        case .deny: "restrict"
        case .noAction: "none"
        case .nullify: isOptional ? "setNull" : "restrict"
        }
    }

    /// Which side of a relationship between one and one is taken: the one that is not optional, has
    /// more values, or is deleted with the other.
    private func isStoredHere(
        _ member: CoreDataRecords.Member, _ inverse: ModelProperty, _ destination: String
    ) -> Bool {
        let model = file.store.model
        let property = member.property
        let owner = model.declaring(member.entity, property.name)
        let other = model.declaring(destination, inverse.name)
        func count(_ entity: String, _ name: String) -> Int {
            file.facts(model.tree(entity).map(\.name), name).count
        }
        let own = [
            property.isOptional ? 0 : 1, count(owner, property.name),
            inverse.deleteRule == .cascade ? 1 : 0,
        ]
        let far = [
            inverse.isOptional ? 0 : 1, count(other, inverse.name),
            property.deleteRule == .cascade ? 1 : 0,
        ]
        if own != far { return far.lexicographicallyPrecedes(own) }
        return "\(owner).\(property.name)" <= "\(other).\(inverse.name)"
    }

    /// Adds references to the owners of relationships to many without an inverse.
    mutating func addOwners(to type: inout ObjectTypeDraft) {
        var column = 2_000
        for entity in file.store.entities {
            for property in entity.sortedProperties
            where property.isOwn && property.isToMany && property.inverse == nil
                && !property.isTransient
            {
                defer { column += 2 }
                guard let destination = property.destination,
                    destination == origin || record.covered.contains(destination),
                    let target = types[entity.name], refusals[.column(origin, column)] == nil
                else { continue }
                let from = "\(origin).\(entity.name).\(property.name)#owner"
                var field = ObjectFieldDraft(
                    column: column, name: name(column, Naming.lowerCamelCase(target)),
                    type: target + "?", from: from,
                    report:
                        "the object with it in \(SQLText.shown("\(entity.name).\(property.name)"))")
                field.target = target
                if refusals[.rule(origin, column)] == nil {
                    field.options.append(
                        ("onDelete", property.deleteRule == .cascade ? "cascade" : "setNull"))
                }
                type.fields.append(field)
                if property.isOrdered {
                    var owner = field
                    owner.from = "\(origin).\(entity.name).\(property.name)"
                    addPosition(column, owner, to: &type)
                }
            }
        }
    }

    /// Creates the entity of the links of a relationship between many and many, once for both
    /// sides.
    private mutating func addJoin(
        _ index: Int, _ member: CoreDataRecords.Member, _ inverse: ModelProperty,
        _ destination: String, _ target: String, to type: inout ObjectTypeDraft
    ) {
        let property = member.property
        let model = file.store.model
        let owner = model.declaring(member.entity, property.name)
        let other = model.declaring(destination, inverse.name)
        let isSelf = owner == other && property.name == inverse.name
        if !isSelf {
            if inverse.isOrdered, !property.isOrdered { return }
            let isFirst = "\(owner).\(property.name)" < "\(other).\(inverse.name)"
            if inverse.isOrdered == property.isOrdered, !isFirst { return }
        }
        let source = "\(origin).\(member.path)"
        let element = ImportedName.entity(property.name)
        guard refusals[.table(source)] == nil else { return }
        var join = ObjectTypeDraft(
            kind: .entity, origin: source, name: names.add(typeName + element, source),
            report: "relationship \(SQLText.shown("\(owner).\(property.name)")) ↔ "
                + SQLText.shown("\(other).\(inverse.name)")
                + (property.isOrdered ? ", ordered" : ""))
        join.from = source
        var ownerName =
            target == typeName && !isSelf
            ? Naming.lowerCamelCase(ImportedName.entity(inverse.name))
            : Naming.lowerCamelCase(typeName)
        let elementName = Naming.lowerCamelCase(element)
        if ownerName == elementName { ownerName += "Owner" }
        join.fields = [
            ObjectFieldDraft(
                column: 0, name: ownerName, type: typeName, options: [("onDelete", "cascade")],
                from: "\(source)#owner", report: "the object with the relationship",
                target: typeName),
            ObjectFieldDraft(
                column: 1, name: elementName, type: target, options: [("onDelete", "cascade")],
                from: "\(source)#target", report: "the object that it refers to", target: target),
        ]
        join.compositeID = [ownerName, elementName]
        if property.isOrdered {
            join.fields.append(
                ObjectFieldDraft(
                    column: 2, name: "position", type: "Int", from: "\(source)#position",
                    report: "its number"))
            join.indexes.append([ownerName, "position"])
            if inverse.isOrdered, !isSelf {
                join.notes.append(
                    Note(
                        subject: "order of \(other).\(inverse.name)",
                        text: "is not described: one order of the two is"))
            }
        }
        joins.append(join)
        type.notes.append(
            Note(subject: "property \(SQLText.shown(member.name))", text: "→ \(join.name)"))
        let origin = "\(source) links"
        if refusals[.relation(self.origin, origin)] == nil {
            type.relations.append(
                RelationDraft(
                    origin: origin, name: uniqueName(ImportedName.property(member.name)),
                    target: join.name, by: ownerName, through: nil,
                    sort: property.isOrdered ? "position" : nil))
        }
    }
}
