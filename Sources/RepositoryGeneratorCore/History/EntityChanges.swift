internal import RepositorySchema
internal import StoredSchema

/// The changes in the stored data of one entity.
struct EntityChanges {
    /// The changes.
    private(set) var changes: [DataChange] = []
    /// The functions that the changes call, once for each change.
    private(set) var calls: [MigrationCall] = []
    /// Errors for functions that cannot be declared.
    private(set) var problems: [Diagnostic] = []
    private let step: VersionStep
    private let name: MigrationFunctionName

    /// Compares the tables of an entity.
    init(_ entity: EntityStep, in step: VersionStep) {
        self.step = step
        name = MigrationFunctionName(number: step.number)
        guard let old = entity.oldTable, let oldEntity = entity.oldEntity else { return }
        let owner = (old: oldEntity.header.name.value, new: entity.entity.header.name.value)
        if step.isMigratedByCode(entity) {
            let function = name.records(of: owner.new)
            changes.append(
                .records(entity.table.name, fields: entity.table.fields, function: function))
            if !old.key.elementsEqual(entity.table.key, by: UTF8Order.areEqual) {
                changes.append(.changeKey(entity.table.name, to: entity.table.key))
            }
            calls.append(call(function, .record(entity.entity.header.name), owner))
            return
        }
        let declared = Dictionary(
            step.new.fields(of: entity.entity).map { (step.new.property(of: $0), $0) },
            uniquingKeysWith: { first, _ in first })
        let oldDeclared = Dictionary(
            step.old.fields(of: oldEntity).map { (step.old.property(of: $0), $0) },
            uniquingKeysWith: { first, _ in first })
        let members = MemberSteps(
            owner: owner, old: old.fields.map(\.asMember),
            new: entity.table.fields.map(\.asMember), declared: declared,
            oldDeclared: oldDeclared)
        compare(members, at: DataPath(entity.table.name), columns: (old, entity.table))
    }

    /// Compares the fields of an entity, or the members of an embedded value.
    ///
    /// - Parameter columns: the tables, whose fields also match by their columns; nil for members.
    private mutating func compare(
        _ members: MemberSteps, at path: DataPath, columns: (StoredTable, StoredTable)?
    ) {
        let matches = members.matches(columns)
        for (index, old) in matches.enumerated() {
            let new = members.new[index]
            guard let old, !UTF8Order.areEqual(old.name, new.name) else { continue }
            changes.append(.rename(path.appending(old.name), to: new.name))
        }
        let kept = Set(matches.compactMap { $0.map { UTF8Name($0.name) } })
        for old in members.old where !kept.contains(UTF8Name(old.name)) {
            changes.append(.remove(path.appending(old.name)))
        }
        for (index, new) in members.new.enumerated() {
            let place = path.appending(new.name)
            let field = members.declared[new.name]
            guard let old = matches[index] else {
                add(new, field, members, at: place)
                continue
            }
            compare(old, new, field, members, at: place)
        }
    }

    /// Appends the change for a new field or member. One that is null in stored records needs none.
    private mutating func add(
        _ new: StoredMember, _ field: FieldDeclaration?, _ members: MemberSteps,
        at place: DataPath
    ) {
        switch fill(of: field) {
        case .code:
            changes.append(
                .addByCode(
                    place, new.type, isOptional: new.isOptional,
                    function: function(new, field, members)))
        case .value(let literal):
            changes.append(
                .add(
                    place, new.type, isOptional: new.isOptional,
                    value: constant(literal.value, field)))
        case nil:
            // A version counts from 1.
            let first = field?.version?.value == true ? StoredConstant.integer(1) : nil
            guard let value = new.defaultValue ?? first else { return }
            changes.append(.add(place, new.type, isOptional: new.isOptional, value: value))
        }
    }

    /// Appends the changes of a field or member that both versions have.
    private mutating func compare(
        _ old: StoredMember, _ new: StoredMember, _ field: FieldDeclaration?,
        _ members: MemberSteps, at place: DataPath
    ) {
        let oldField = members.oldDeclared[old.name]
        let isRequired = old.isOptional && !new.isOptional
        let types = (old: oldField?.type.value, new: field?.type.value)
        if let convert = step.conversion(of: field, oldField) {
            switch convert.method {
            case .code:
                changes.append(
                    .convertByCode(
                        place, new.type, isOptional: new.isOptional,
                        function: function(new, field, members, converting: oldField)))
            case .value(let otherwise):
                // Null has no text form and is no number: it is filled after the conversion.
                let isFilled = isRequired && fill(of: field) != nil
                convertByValue(
                    types, to: new.type, isOptional: new.isOptional || isFilled, cases: new.cases,
                    otherwise: otherwise.map { constant($0.value, field) }, at: place)
                if isFilled { require(new, field, members, at: place) }
            }
            return
        }
        if changeRawType(types, to: new.type, isOptional: new.isOptional, at: place) { return }
        replaceCases(types, at: place)
        if old.type == new.type, !isRequired {
            compare(old.type, new.type, types, isOptional: new.isOptional, at: place)
            return
        }
        let isFilled = isRequired && fill(of: field) != nil
        compare(old.type, new.type, types, isOptional: new.isOptional || isFilled, at: place)
        // The fill is an id after the version already.
        if isRequired { require(new, field, members, at: place) }
    }

    /// Appends the conversion of values. An enum becomes another one case by case: by the names of
    /// the cases, and where there is no such case by the raw value.
    private mutating func convertByValue(
        _ types: (old: TypeExpression?, new: TypeExpression?), to shape: StoredShape,
        isOptional: Bool, cases: [String]?, otherwise: StoredConstant?, at place: DataPath
    ) {
        if let old = types.old, let type = types.new, let values = step.values(from: old, to: type),
            let raw = rawTypes(values)
        {
            // Cases are replaced while the raw values are texts, or before the check of the cases.
            if raw.0 == raw.1 || raw.0 == .string { replace(values, at: place) }
            if raw.0 != .string, raw.1 == .string {
                changes.append(.convert(place, shape, isOptional: true))
                replace(values, at: place)
            }
        }
        changes.append(
            .convert(
                place, shape, isOptional: isOptional, cases: cases, otherwise: otherwise))
    }

    /// Appends the change for a field or member that becomes required. Without a decision, the
    /// stored records are checked.
    private mutating func require(
        _ new: StoredMember, _ field: FieldDeclaration?, _ members: MemberSteps,
        at place: DataPath
    ) {
        switch fill(of: field) {
        case .code:
            changes.append(.requireByCode(place, function: function(new, field, members)))
        case .value(let literal):
            changes.append(.require(place, value: constant(literal.value, field)))
        case nil: break
        }
    }

    /// Compares the members of embedded values inside a type.
    private mutating func compare(
        _ old: StoredShape, _ new: StoredShape,
        _ types: (old: TypeExpression?, new: TypeExpression?), isOptional: Bool,
        at place: DataPath
    ) {
        // Ids inside an equal type can have other values.
        guard old != new || step.hasOtherIDs else { return }
        switch (old, new) {
        case (.list(let before, _), .list(let after, let isOptional)):
            compare(
                before, after, (types.old?.element, types.new?.element), isOptional: isOptional,
                at: place.appending(DataPath.elements))
        case (.map(let before, _), .map(let after, let isOptional)):
            compare(
                before, after, (types.old?.element, types.new?.element), isOptional: isOptional,
                at: place.appending(DataPath.mapValues))
        case (.object(let before), .object(let after)):
            let inner = InnerFields(types.new?.unwrapped, step.new)
            let oldInner = InnerFields(types.old?.unwrapped, step.old)
            if inner.isUnion {
                // A record in a case that is gone does not fit any more, and the migration fails.
                let names = Set(after.map { UTF8Name($0.name) })
                for item in before where !names.contains(UTF8Name(item.name)) {
                    changes.append(.remove(place.appending(item.name)))
                }
                // Cases match by name. The fields of a case are members one level further in.
                for item in after {
                    guard case .object(let fields) = item.type,
                        case .object(let oldFields)? = before.first(where: {
                            UTF8Order.areEqual($0.name, item.name)
                        })?.type
                    else { continue }
                    let steps = MemberSteps(
                        owner: (oldInner.owner, inner.owner), isUnionCase: true, old: oldFields,
                        new: fields, declared: inner.fields(ofCase: item.name),
                        oldDeclared: oldInner.fields(ofCase: item.name))
                    compare(steps, at: place.appending(item.name), columns: nil)
                }
                return
            }
            let steps = MemberSteps(
                owner: (oldInner.owner, inner.owner), old: before, new: after,
                declared: inner.fields, oldDeclared: oldInner.fields)
            compare(steps, at: place, columns: nil)
        default:
            if changeRawType(types, to: new, isOptional: isOptional, at: place) { return }
            followID(types, (old, new), isOptional: isOptional, at: place)
        }
    }

    /// Appends the change of a reference whose target gets another id.
    ///
    /// Where an id is converted by value, the same conversion gives the same id. Otherwise the
    /// reference follows the record.
    private mutating func followID(
        _ types: (old: TypeExpression?, new: TypeExpression?), _ shapes: (StoredShape, StoredShape),
        isOptional: Bool, at place: DataPath
    ) {
        var (oldName, name) = (types.old?.innermostName, types.new?.innermostName)
        // An id can be a reference itself, in a chain as long as the schema.
        while let current = name, case .entity(let entity) = step.new.declarations[current] {
            let entityStep = step.entity(current)
            let isSame = oldName != nil && entityStep?.oldEntity?.header.name.value == oldName
            if isSame, let entityStep, step.getsOtherIDs(entityStep) {
                changes.append(
                    .followID(
                        place, shapes.1, isOptional: isOptional, of: entityStep.table.name))
                return
            }
            guard case .single(let id) = entity.identity else {
                if isSame, let entityStep { followComponents(of: entityStep, at: place) }
                return
            }
            var oldID: FieldDeclaration?
            if case .single(let id)? = entityStep?.oldEntity?.identity { oldID = id }
            if let convert = step.conversion(of: id, oldID) {
                guard case .value(let otherwise) = convert.method else { return }
                convertByValue(
                    (oldID?.type.value, id.type.value), to: shapes.1, isOptional: isOptional,
                    cases: ShapeDescriber(scope: step.new).cases(of: id.type.value),
                    otherwise: otherwise.map { constant($0.value, id) }, at: place)
                return
            }
            name = id.type.value.innermostName
            oldName = oldID?.type.value.innermostName
        }
    }

    /// Appends the changes of the components of a composite id in a reference. The components that
    /// are references follow their targets.
    private mutating func followComponents(of entity: EntityStep, at place: DataPath) {
        for (old, new) in step.components(of: entity) {
            compare(
                ShapeDescriber(scope: step.old).shape(of: old.type.value),
                ShapeDescriber(scope: step.new).shape(of: new.type.value),
                (old.type.value, new.type.value), isOptional: false,
                at: place.appending(step.old.property(of: old)))
        }
    }

    /// Appends the changes of an enum whose raw values have another type: each case keeps its
    /// meaning. References follow an id that is such an enum.
    ///
    /// - Returns: whether the raw type has changed.
    private mutating func changeRawType(
        _ types: (old: TypeExpression?, new: TypeExpression?), to shape: StoredShape,
        isOptional: Bool, at place: DataPath
    ) -> Bool {
        guard let oldType = types.old, let type = types.new, type.element == nil,
            let values = step.values(from: oldType, to: type),
            let (before, after) = rawTypes(values), before != after
        else { return false }
        let isText = before == .string
        let cases = ShapeDescriber(scope: step.new).cases(of: values.new)
        // Cases are replaced while both raw values are texts.
        if isText { replace(values, at: place) }
        changes.append(
            .convert(place, shape, isOptional: isOptional, cases: isText ? cases : nil))
        if !isText { replace(values, at: place) }
        return true
    }

    /// The raw types of the enums in two types; nil if they are none.
    private func rawTypes(
        _ types: (old: TypeExpression, new: TypeExpression)
    ) -> (BaseType, BaseType)? {
        guard let new = types.new.innermostName, let old = types.old.innermostName,
            case .enumeration(let after) = step.new.declarations[new],
            case .enumeration(let before) = step.old.declarations[old]
        else { return nil }
        return (before.rawType.value, after.rawType.value)
    }

    /// Appends the replacements of the cases of the enums in two types.
    private mutating func replace(
        _ types: (old: TypeExpression, new: TypeExpression), at place: DataPath
    ) {
        guard let new = types.new.innermostName, let old = types.old.innermostName else { return }
        let replacements = step.casesOfEnums.replacements(from: old, to: new)
        if !replacements.isEmpty { changes.append(.replaceCases(place, replacements)) }
    }

    /// Appends the replacements of the cases of the enum in a field. A reference follows an id that
    /// is an enum, or that has one as a component.
    private mutating func replaceCases(
        _ types: (old: TypeExpression?, new: TypeExpression?), at place: DataPath
    ) {
        guard let oldType = types.old, let type = types.new,
            let values = step.values(from: oldType, to: type), let new = values.new.innermostName,
            let old = values.old.innermostName
        else { return }
        // With the raw type, the cases are replaced where it changes.
        if rawTypes(values).map({ $0 == $1 }) ?? true { replace(values, at: place) }
        guard let entity = step.entity(new), entity.oldEntity?.header.name.value == old,
            !step.getsOtherIDs(entity)
        else { return }
        let inner = type.stepsToElements.reduce(place) { $0.appending($1) }
        for (before, after) in step.components(of: entity) {
            let path = inner.appending(step.old.property(of: before))
            replaceCases((before.type.value, after.type.value), at: path)
        }
    }

    /// Returns the name of the function for a field or member, and collects its declaration.
    private mutating func function(
        _ new: StoredMember, _ field: FieldDeclaration?, _ members: MemberSteps,
        converting oldField: FieldDeclaration? = nil
    ) -> String {
        let function = name.value(new.name, of: members.owner.new)
        guard let field else { return function }
        if members.isUnionCase {
            problems.append(
                Diagnostic(
                    "a function for a field of a union case cannot be carried out yet",
                    at: field.name.range,
                    help: "write 'migrate: code' under the entities that store the union",
                    rule: .version))
        } else {
            calls.append(
                call(function, .value(field, converting: oldField), members.owner))
        }
        return function
    }

    private func call(
        _ function: String, _ kind: MigrationCall.Kind, _ owner: (old: String, new: String)
    ) -> MigrationCall {
        MigrationCall(
            name: function, kind: kind, number: step.number, oldOwner: owner.old, owner: owner.new,
            old: step.old, new: step.new)
    }

    private func fill(of field: FieldDeclaration?) -> FillDecision.Source? {
        guard let fill = field?.fill, counts(fill.version) else { return nil }
        return fill.source
    }

    /// Whether a decision is for this version.
    private func counts(_ version: Located<Int>?) -> Bool {
        version.map { $0.value == step.number } ?? true
    }

    private func constant(_ literal: Literal, _ field: FieldDeclaration?) -> StoredConstant {
        guard let field else { return .null }
        return ConstantDescriber(scope: step.new).constant(literal, as: field.type.value)
    }
}

extension TypeExpression {
    /// The type of the elements of a list or map; nil for other types.
    fileprivate var element: TypeExpression? {
        switch unwrapped {
        case .list(let element), .map(let element): element
        case .base, .named, .optional: nil
        }
    }

    /// The steps of a path from a value of the type to the elements of its innermost list or map.
    fileprivate var stepsToElements: [String] {
        switch unwrapped {
        case .list(let element): [DataPath.elements] + element.stepsToElements
        case .map(let element): [DataPath.mapValues] + element.stepsToElements
        case .base, .named, .optional: []
        }
    }
}
