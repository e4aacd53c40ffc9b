/// Writes conditions as SQL that is true exactly where ``ConditionTree/matches(_:)`` is.
///
/// SQL has three truth values and conditions have two. What is written is true, or it is false or unknown where the
/// condition does not hold; `AND` and `OR` keep that, and a negation says `IS NOT TRUE`.
package struct SQLConditionWriter {
    let table: SQLTable
    let dialect: any SQLDialect
    /// The values that the placeholders stand for.
    package private(set) var parameters: [SQLParameter] = []

    /// Whether values are written as constants, where there can be neither parameters nor subqueries.
    private let isConstant: Bool
    /// Whether a value has no constant.
    private var lacksConstant = false

    /// How many values are written out one by one before a list is given as one parameter.
    static var shortList: Int { 8 }
    /// How many values are written out where there is no other way.
    static var longList: Int { 512 }
    /// How many comparisons one condition may hold; databases bound how deep an expression is.
    static var largestCondition: Int { 200 }
    /// How many parameters one condition may bind. SQLite allows a statement 32,766 of them.
    static var mostParameters: Int { 4_096 }

    /// Starts with no parameters.
    package init(_ table: SQLTable, _ dialect: any SQLDialect) {
        self.init(table, dialect, isConstant: false)
    }

    private init(_ table: SQLTable, _ dialect: any SQLDialect, isConstant: Bool) {
        self.table = table
        self.dialect = dialect
        self.isConstant = isConstant
    }

    /// The condition with its values as constants, as a CHECK or the `WHERE` of an index takes it; nil where the database
    /// cannot decide it exactly.
    package static func constant(
        _ tree: ConditionTree, _ table: SQLTable, _ dialect: any SQLDialect
    ) -> String? {
        var writer = Self(table, dialect, isConstant: true)
        guard let text = writer.condition(tree), !writer.lacksConstant else { return nil }
        return text
    }

    /// The condition; nil where the database cannot decide it exactly.
    package mutating func condition(_ tree: ConditionTree) -> String? {
        let tree = tree.joiningEqualities
        guard tree.leafCount <= Self.largestCondition else { return nil }
        let count = parameters.count
        if let text = write(tree), parameters.count - count <= Self.mostParameters { return text }
        parameters.removeLast(parameters.count - count)
        return nil
    }

    /// Adds a parameter and returns its placeholder.
    package mutating func bind(_ value: StoredValue, _ form: SQLColumnForm) -> String {
        if isConstant {
            if let literal = dialect.literal(value, as: form) { return literal }
            lacksConstant = true
            return "NULL"
        }
        parameters.append(SQLParameter(value, form))
        return dialect.placeholder(parameters.count)
    }

    private mutating func write(_ tree: ConditionTree) -> String? {
        switch tree {
        case .constant(let value): return value ? "TRUE" : "FALSE"
        case .compare(let path, let comparison, let value):
            return compare(path, comparison, value)
        case .isIn(let path, let values): return isIn(path, values)
        case .text(let path, let search): return text(path, search)
        case .hasElement(let path, let element): return hasElement(path, element)
        case .all(let conditions): return join(conditions, " AND ", none: "TRUE")
        case .any(let conditions): return join(conditions, " OR ", none: "FALSE")
        case .not(.compare(let path, .equal, .null)):
            guard let operand = table.operands(path, dialect)?.first else { return nil }
            return "\(operand.presence) IS NOT NULL"
        case .not(let condition): return write(condition).map { "(\($0)) IS NOT TRUE" }
        case .invalid: return nil
        }
    }

    private mutating func join(
        _ conditions: [ConditionTree], _ word: String, none: String
    ) -> String? {
        var texts: [String] = []
        for condition in conditions {
            guard let text = write(condition) else { return nil }
            texts.append(text)
        }
        if texts.isEmpty { return none }
        return texts.count == 1 ? texts[0] : "(\(texts.joined(separator: word)))"
    }

    private mutating func compare(
        _ path: FieldPath, _ comparison: ConditionTree.Comparison, _ value: StoredValue
    ) -> String? {
        guard let operands = table.operands(path, dialect) else { return nil }
        if value == .null {
            // The columns of a composite reference are all null or none.
            return comparison == .equal ? "\(operands[0].presence) IS NULL" : "FALSE"
        }
        if operands.count == 1 { return self.compare(operands[0], comparison, value) }
        guard comparison == .equal, let values = components(value, of: path.field) else {
            return nil
        }
        var texts: [String] = []
        for (operand, value) in zip(operands, values) {
            guard let text = self.compare(operand, .equal, value) else { return nil }
            texts.append(text)
        }
        return "(\(texts.joined(separator: " AND ")))"
    }

    /// Compares with a value that is not null.
    mutating func compare(
        _ operand: SQLOperand, _ comparison: ConditionTree.Comparison, _ value: StoredValue
    ) -> String? {
        guard let comparand = SQLComparand(value, operand.form) else { return nil }
        let isSmaller = comparison == .less || comparison == .lessOrEqual
        let everything = operand.isOptional ? "\(operand.presence) IS NOT NULL" : "TRUE"
        switch comparand {
        case .value(let value):
            let sign = comparison == .equal ? "=" : comparison.rawValue
            let test = "\(operand.text) \(sign) \(bind(value, operand.form))"
            return bounded(test, operand, comparison, value)
        case _ where comparison == .equal: return "FALSE"
        case .after(let value):
            return "\(operand.text) \(isSmaller ? "<=" : ">") \(bind(value, operand.form))"
        case .aboveAll: return isSmaller ? everything : "FALSE"
        case .belowAll: return isSmaller ? "FALSE" : everything
        case .nowhere: return "FALSE"
        }
    }

    /// A test of what was made of a column, and what it says of the column itself.
    private mutating func bounded(
        _ test: String, _ operand: SQLOperand, _ comparison: ConditionTree.Comparison,
        _ value: StoredValue
    ) -> String {
        guard let source = operand.source,
            let bounds = dialect.bounds(of: source.form, around: value)
        else { return test }
        var texts: [String] = []
        if comparison != .less, comparison != .lessOrEqual {
            texts.append("\(source.text) >= \(bind(bounds.lower.value, bounds.lower.form))")
        }
        if comparison != .greater, comparison != .greaterOrEqual {
            texts.append("\(source.text) <= \(bind(bounds.upper.value, bounds.upper.form))")
        }
        return "(\(texts.joined(separator: " AND ")) AND \(test))"
    }

    /// The components of a reference to a composite id; nil where the value is none.
    private func components(_ value: StoredValue, of field: Int) -> [StoredValue]? {
        guard case .composite(let layout) = table.entity.layout.fields[field].type,
            case .object(let members) = value
        else { return nil }
        let values = layout.fields.map { members[$0.name] ?? .null }
        return values.contains(.null) ? nil : values
    }

    private mutating func isIn(_ path: FieldPath, _ values: Set<StoredValue>) -> String? {
        guard let operands = table.operands(path, dialect) else { return nil }
        let alternatives = values.subtracting([.null]).sorted()
        var texts = values.contains(.null) ? ["\(operands[0].presence) IS NULL"] : []
        if operands.count > 1 {
            guard alternatives.count <= 50 else { return nil }
            for value in alternatives {
                guard let text = compare(path, .equal, value) else { return nil }
                texts.append(text)
            }
        } else {
            var found: [StoredValue] = []
            for value in alternatives {
                guard let comparand = SQLComparand(value, operands[0].form) else { return nil }
                if case .value(let value) = comparand { found.append(value) }
            }
            if !found.isEmpty {
                guard let text = isAmong(operands[0], found) else { return nil }
                texts.append(text)
            }
        }
        if texts.isEmpty { return "FALSE" }
        return texts.count == 1 ? texts[0] : "(\(texts.joined(separator: " OR ")))"
    }

    /// Tests for one of some values, which are at least one and not null.
    private mutating func isAmong(_ operand: SQLOperand, _ values: [StoredValue]) -> String? {
        if values.count == 1 { return "\(operand.text) = \(bind(values[0], operand.form))" }
        if values.count > Self.shortList, !isConstant, dialect.bindsLists(of: operand.form) {
            return dialect.isAmong(operand.text, list: bind(.list(values), operand.form))
        }
        guard values.count <= Self.longList, parameters.count <= Self.mostParameters else {
            return nil
        }
        // Filled up to a power of two, so that few texts serve lists of every length.
        var count = 2
        while count < values.count { count *= 2 }
        let places = (0..<count).map { bind(values[min($0, values.count - 1)], operand.form) }
        return "\(operand.text) IN (\(places.joined(separator: ", ")))"
    }

    private mutating func text(_ path: FieldPath, _ search: TextSearch) -> String? {
        guard !search.ignoringCase, let operand = table.operands(path, dialect)?.first,
            operand.form == .text
        else { return nil }
        switch search.kind {
        case .equals: return "\(operand.text) = \(bind(.text(search.text), .text))"
        case .contains:
            return dialect.contains(operand.text, part: bind(.text(search.text), .text))
        case .hasPrefix:
            if search.text.isEmpty { return "\(operand.presence) IS NOT NULL" }
            // A range, so that an index helps.
            let lower = "\(operand.text) >= \(bind(.text(search.text), .text))"
            guard let next = search.text.successorOfPrefix else { return lower }
            return "(\(lower) AND \(operand.text) < \(bind(.text(next), .text)))"
        }
    }

    private mutating func hasElement(_ path: FieldPath, _ element: StoredValue) -> String? {
        guard !isConstant, path.names.isEmpty,
            table.entity.layout.fields.indices.contains(path.field),
            case .list(let type, _) = table.entity.layout.fields[path.field].type,
            let operand = table.operands(path, dialect)?.first
        else { return nil }
        if element == .null { return dialect.hasElement(operand.text, of: type, equalTo: nil) }
        let form = SQLColumnForm(type)
        guard let comparand = SQLComparand(element, form),
            dialect.hasElement(operand.text, of: type, equalTo: "") != nil
        else { return nil }
        guard case .value(let value) = comparand else { return "FALSE" }
        return dialect.hasElement(operand.text, of: type, equalTo: bind(value, form))
    }
}

extension ConditionTree {
    /// How many tests it is made of.
    fileprivate var leafCount: Int {
        switch self {
        case .all(let conditions), .any(let conditions):
            conditions.reduce(1) { $0 + $1.leafCount }
        case .not(let condition): condition.leafCount + 1
        case .constant, .compare, .isIn, .text, .hasElement, .invalid: 1
        }
    }
}

extension String {
    /// The first text after all those that start with this one; nil where there is none.
    fileprivate var successorOfPrefix: String? {
        var scalars = Array(unicodeScalars)
        while let last = scalars.popLast() {
            // Between the two lie the surrogates, which are no scalars.
            let value = last.value == 0xD7FF ? 0xE000 : last.value + 1
            guard let next = Unicode.Scalar(value) else { continue }
            scalars.append(next)
            var text = ""
            text.unicodeScalars.append(contentsOf: scalars)
            return text
        }
        return nil
    }
}
