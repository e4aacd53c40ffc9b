internal import CoreDataFormat
internal import RepositoryGeneratorCore
internal import RepositorySchema

/// Attributes.
extension CoreDataTypeBuilder {
    mutating func uniqueName(_ wanted: String) -> String {
        let name = ImportedName.unique(wanted) { taken.contains($0.lowercased()) }
        taken.insert(name.lowercased())
        return name
    }

    mutating func name(_ index: Int, _ wanted: String) -> String {
        uniqueName(
            refusals[.fieldName(origin, index)] == nil
                ? ImportedName.property(wanted) : ImportedName.property(wanted) + "Value")
    }

    mutating func attribute(
        _ index: Int, _ member: CoreDataRecords.Member
    ) -> ObjectFieldDraft {
        let property = member.property
        let facts = file.facts(record.covered, property.name)
        var notes: [Note] = []
        var typeName: String?
        if property.kind == .composite {
            typeName = composite(property, facts, &notes)
        }
        var name = typeName ?? Self.typeName(property, facts, &notes)
        let isOptional = property.isOptional || facts.nullCount > 0 || member.isPartial
        if isOptional { name += "?" }
        var field = ObjectFieldDraft(
            column: index, name: self.name(index, member.name), type: name,
            from: "\(origin).\(member.path)",
            report: "attribute \(SQLText.shown(property.name)), \(property.type.name)"
                + (property.isOptional ? ", optional" : ""))
        field.notes = notes
        if facts.nullCount > 0, !property.isOptional, !member.isPartial {
            field.notes.append(
                Note(subject: "not optional in the model", text: "null in \(facts.nullCount)"))
        }
        if property.isExternal, property.type == .data {
            field.options.append(("external", "true"))
            if facts.missingFileCount > 0 {
                field.notes.append(
                    Note(subject: "external data", text: "\(facts.missingFileCount) files missing"))
            }
        } else {
            addRules(property, facts, to: &field)
            if let text = Self.defaultText(property),
                refusals[.option(origin, index, "default")] == nil
            {
                field.options.append(("default", text))
            }
        }
        return field
    }

    private mutating func composite(
        _ property: ModelProperty, _ facts: ScannedCoreData.Facts, _ notes: inout [Note]
    ) -> String? {
        let path = "\(origin).\(property.name)"
        if let cases = property.caseNames {
            return shapes.enumeration(
                property.name, path, cases: cases, isOpen: false, &names, prefix: typeName)
                ?? "String"
        }
        guard property.hasRawValues else {
            return shapes.value(property, record.covered, property.name, &names)
        }
        guard property.elements[0].type == .string else {
            notes.append(Note(subject: "enumeration", text: "with raw values that are no strings"))
            return Self.typeName(property.elements[0], facts, &notes)
        }
        guard let few = facts.few, !few.isEmpty else { return "String" }
        return shapes.enumeration(
            property.name, path, cases: few.sorted(), isOpen: true, &names, prefix: typeName)
            ?? "String"
    }

    /// The type of an attribute in the schema language, without the mark of optional ones.
    static func typeName(
        _ property: ModelProperty, _ facts: ScannedCoreData.Facts, _ notes: inout [Note]
    ) -> String {
        switch property.type {
        case .int16: return "Int16"
        case .int32: return "Int32"
        case .int64: return "Int64"
        case .decimal:
            notes.append(
                Note(
                    subject: "decimal",
                    text: "stored as a binary number; up to \(facts.scale) digits behind the point")
            )
            return "Decimal"
        case .double: return "Double"
        case .float: return "Float"
        case .bool: return "Bool"
        case .date: return "Date"
        case .uuid: return "UUID"
        case .uri: return facts.areURLs ? "URL" : "String"
        case .data: return "Data"
        case .transformable:
            switch facts.plainType {
            case .list(let name?): return "[\(name)]"
            case .map(let name?): return "[String: \(name)]"
            default: break
            }
            if facts.count == 0, property.valueClass == "Array<String>" { return "[String]" }
            let classes = facts.classes.sorted().joined(separator: ", ")
            notes.append(
                Note(
                    subject: "transformable",
                    text: classes.isEmpty
                        ? "the bytes as they are"
                        : "the bytes as they are, an archive of \(classes)"))
            return "Data"
        case .string, .undefined, .objectID, .composite: return "String"
        }
    }

    private static func defaultText(_ property: ModelProperty) -> String? {
        switch (property.type, property.defaultValue) {
        case (.bool, .bool(let value)): return value ? "true" : "false"
        case (.int16, .integer(let value)), (.int32, .integer(let value)),
            (.int64, .integer(let value)):
            return String(value)
        case (.double, .double(let value)), (.float, .double(let value)):
            return value.isFinite ? "\(value)" : nil
        case (.double, .integer(let value)), (.float, .integer(let value)): return "\(value).0"
        case (.string, .string(let text)): return YAMLText.quoted(text)
        default: return nil
        }
    }

    /// Adds the validation rules of the model, unless an object violates them.
    private func addRules(
        _ property: ModelProperty, _ facts: ScannedCoreData.Facts, to field: inout ObjectFieldDraft
    ) {
        for rule in property.rules {
            let isLength = rule.comparison?.left == "length" && property.type == .string
            let isNumber =
                rule.comparison?.left == "SELF"
                && [.int16, .int32, .int64, .double, .float, .decimal].contains(property.type)
            guard let comparison = rule.comparison, isLength || isNumber,
                case .integer(let limit) = comparison.constant,
                ["<=", ">="].contains(comparison.operation)
            else {
                field.notes.append(Note(subject: "rule", text: rule.text))
                continue
            }
            let isMinimum = comparison.operation == ">="
            let isKept = facts.range.map {
                isMinimum ? $0.lowerBound >= Double(limit) : $0.upperBound <= Double(limit)
            }
            guard isKept ?? true else {
                field.notes.append(Note(subject: "rule \(rule.text)", text: "objects violate it"))
                continue
            }
            let key =
                isLength
                ? (isMinimum ? "minLength" : "maxLength") : (isMinimum ? "minimum" : "maximum")
            guard refusals[.option(origin, field.column, key)] == nil else { continue }
            field.options.append((key, String(limit)))
        }
    }
}
