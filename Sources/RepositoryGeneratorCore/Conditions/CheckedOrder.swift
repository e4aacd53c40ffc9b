internal import ConditionLanguage
internal import RepositorySchema

/// A value of a query's order after name resolution: a field, a field behind references or inside
/// an embedded value, or the number of the records of a relation.
enum CheckedOrder {
    /// A field of the record, of an embedded value, or of a record to which references lead.
    case field(ConditionField)
    /// The number of the records of a relation.
    case count(ConditionRelation)

    /// The members of `Fields` that lead to the value.
    var properties: [String] {
        switch self {
        case .field(let field): field.properties
        case .count(let relation): relation.properties + ["count"]
        }
    }

    /// The fields that are named.
    var fields: [FieldDeclaration] {
        switch self {
        case .field(let field): field.path
        case .count(let relation): relation.references
        }
    }

    /// The relation whose records are counted.
    var relation: RelationDeclaration? {
        if case .count(let relation) = self { relation.relation } else { nil }
    }
}

extension ConditionContext {
    /// Resolves a key of the order of a query. Returns nil, without an error, if it may be in a
    /// declaration that could not be read.
    ///
    /// The ranges of a problem are those in the text of the key.
    func order(_ key: SortKey) throws(ConditionProblem) -> CheckedOrder? {
        var offset = key.nameOffset
        var path: [(name: String, range: Range<Int>)] = []
        for name in key.names {
            let end = offset + name.unicodeScalars.count
            path.append((name, offset..<end))
            offset = end + 1
        }
        if key.isCount { return try relation(path).map { .count($0) } }
        return try field(path).map { .field($0) }
    }
}

extension SortKey {
    /// The text of the key with the place of each character, for messages.
    var text: ConditionText {
        var place = field.range.start
        let scalars = field.value.unicodeScalars
        guard field.range.end.line == place.line,
            field.range.end.column - place.column == scalars.count
        else { return ConditionText(field.value, at: field.range) }
        let places = scalars.map { _ in
            defer { place.column += 1 }
            return place
        }
        return ConditionText(field.value, at: field.range, places: places)
    }
}
