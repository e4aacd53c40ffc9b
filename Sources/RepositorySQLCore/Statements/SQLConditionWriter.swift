package import RepositoryRuntime

/// Translates conditions to SQL. The SQL condition is true for exactly the records for which
/// ``ConditionTree/matches(_:)`` returns true.
///
/// SQL has three truth values and conditions have two. The SQL condition may be false or unknown
/// where the condition is false. `AND` and `OR` preserve this property, and a negation is written
/// as `IS NOT TRUE`.
///
/// A function that cannot express a condition exactly returns nil. The runtime then evaluates the
/// condition on the records that the other conditions select.
package struct SQLConditionWriter {
    /// The table to which the conditions apply.
    let table: SQLTable
    /// The dialect of the database.
    let dialect: any SQLDialect
    /// The values of the placeholders.
    package private(set) var parameters: [SQLParameter] = []

    /// Whether values are written as literals, for contexts that allow neither parameters nor
    /// subqueries.
    private let isConstant: Bool
    /// Whether a value had no literal. The condition is then discarded.
    private var lacksConstant = false

    /// The maximum number of values that are written individually. A longer list is bound as one
    /// parameter.
    static var shortList: Int { 8 }
    /// The maximum number of values that are written individually if the database cannot bind a
    /// list.
    static var longList: Int { 512 }
    /// The maximum number of comparisons in one condition. Databases limit the depth of
    /// expressions.
    static var largestCondition: Int { 200 }
    /// The maximum number of parameters in one condition. SQLite allows 32,766 in a statement.
    static var mostParameters: Int { 4_096 }

    /// The maximum number of strings that are looked up in an index that ignores ASCII case.
    static var mostSpellings: Int { 32 }

    /// Creates a writer without parameters.
    package init(_ table: SQLTable, _ dialect: any SQLDialect) {
        self.init(table, dialect, isConstant: false)
    }

    private init(_ table: SQLTable, _ dialect: any SQLDialect, isConstant: Bool) {
        self.table = table
        self.dialect = dialect
        self.isConstant = isConstant
    }

    /// Returns a condition with its values as literals, for a CHECK or the `WHERE` of an index; nil
    /// if the database cannot evaluate it exactly.
    package static func constant(
        _ tree: ConditionTree, _ table: SQLTable, _ dialect: any SQLDialect
    ) -> String? {
        var writer = Self(table, dialect, isConstant: true)
        guard let text = writer.condition(tree), !writer.lacksConstant else { return nil }
        return text
    }

    /// Returns the SQL condition; nil if the database cannot evaluate it exactly. In that case, no
    /// parameters are added.
    package mutating func condition(_ tree: ConditionTree) -> String? {
        let tree = tree.joiningEqualities
        guard tree.leafCount <= Self.largestCondition else { return nil }
        let count = parameters.count
        if let text = write(tree), parameters.count - count <= Self.mostParameters { return text }
        parameters.removeLast(parameters.count - count)
        return nil
    }

    /// Removes the last parameters.
    mutating func removeParameters(after count: Int) {
        parameters.removeLast(parameters.count - count)
    }

    /// Adds a parameter and returns its placeholder. Returns a literal instead if the writer writes
    /// constants.
    package mutating func bind(_ value: StoredValue, _ form: SQLColumnForm) -> String {
        if isConstant {
            if let literal = dialect.literal(value, as: form) { return literal }
            lacksConstant = true
            return "NULL"
        }
        parameters.append(SQLParameter(value, form))
        return dialect.placeholder(parameters.count)
    }

    /// Translates a condition without limits. Parameters added for a condition that turns out to be
    /// untranslatable are removed by the caller.
    private mutating func write(_ tree: ConditionTree) -> String? {
        switch tree {
        case .constant(let value): return value ? "TRUE" : "FALSE"
        case .compare(let path, let comparison, let value):
            return compare(path, comparison, value)
        case .compareFields(let path, let comparison, let other):
            return compare(path, comparison, other)
        case .isIn(let path, let values): return isIn(path, values)
        case .text(let path, let search): return text(path, search)
        case .hasElement(let path, let element): return hasElement(path, element)
        case .all(let conditions): return join(conditions, " AND ", none: "TRUE")
        case .any(let conditions): return join(conditions, " OR ", none: "FALSE")
        case .not(.compare(let path, .equal, .null)):
            guard let operand = table.operands(path, dialect)?.first else { return nil }
            return "\(operand.presence) IS NOT NULL"
        case .not(let condition): return write(condition).map { "(\($0)) IS NOT TRUE" }
        case .related(let condition): return related(condition)
        case .invalid: return nil
        }
    }

    /// Writes a condition on related records: the keys of the record are among those that a
    /// subquery selects, `"author" IN (SELECT "id" FROM "authors" WHERE …)`.
    ///
    /// The columns inside a subquery are those of its own table.
    private mutating func related(_ condition: RelatedCondition) -> String? {
        guard !isConstant, let target = table.related(condition.link.target.linkedTable),
            let keys = SQLLinkKeys(condition.link, from: table, to: target, dialect)
        else { return nil }
        guard let filter = write(condition.condition, onRecordsOf: target) else { return nil }
        var text =
            "SELECT \(keys.inner.joined(separator: ", ")) FROM \(dialect.quoted(target.name))"
        if filter != "TRUE" { text += " WHERE \(filter)" }
        if condition.minimum > 1 {
            var counted = "*"
            if let distinct = condition.distinct {
                guard let operands = target.operands(distinct, dialect), operands.count == 1 else {
                    return nil
                }
                counted = "DISTINCT \(operands[0].text)"
            }
            text += " GROUP BY \(keys.inner.joined(separator: ", ")) HAVING count(\(counted)) >= "
            text += bind(.integer(Int64(condition.minimum)), .count)
        }
        return "\(SQLLinkKeys.row(keys.outer)) IN (\(text))"
    }

    /// Returns the SQL condition for a condition on the records of another table, on whose columns
    /// it is evaluated; nil if the database cannot evaluate it exactly.
    mutating func condition(
        _ tree: ConditionTree, onRecordsOf target: SQLTable
    ) -> String? {
        guard !isConstant, tree.leafCount <= Self.largestCondition else { return nil }
        return write(tree, onRecordsOf: target)
    }

    private mutating func write(_ tree: ConditionTree, onRecordsOf target: SQLTable) -> String? {
        var inner = Self(target, dialect)
        inner.parameters = parameters
        guard let text = inner.write(tree) else { return nil }
        parameters = inner.parameters
        return text
    }

    /// Joins translated conditions; nil if one of them cannot be translated.
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

    /// Compares a path with a value. A composite reference is compared component by component.
    private mutating func compare(
        _ path: FieldPath, _ comparison: ConditionTree.Comparison, _ value: StoredValue
    ) -> String? {
        guard let operands = table.operands(path, dialect) else { return nil }
        if value == .null {
            if comparison == .equal, let head = hashedHead(path) { return "\(head) IS NULL" }
            // Either all columns of a composite reference are null or none.
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

    /// Returns the expression of the index over an encrypted field; nil for another field.
    private func hashedHead(_ path: FieldPath) -> String? {
        let column = table.columns[table.offsets[path.field]]
        return path.names.isEmpty && column.isHashed ? column.head(dialect) : nil
    }

    /// Compares an operand with a value that is not null. A value that the column cannot hold is
    /// replaced as described in ``SQLComparand``.
    mutating func compare(
        _ operand: SQLOperand, _ comparison: ConditionTree.Comparison, _ value: StoredValue
    ) -> String? {
        guard let comparand = SQLComparand(value, operand.form, dialect) else { return nil }
        let isSmaller = comparison == .less || comparison == .lessOrEqual
        let everything = operand.isOptional ? "\(operand.presence) IS NOT NULL" : "TRUE"
        switch comparand {
        case .value(let value):
            let sign = comparison == .equal ? "=" : comparison.rawValue
            if comparison == .equal, let text = narrowed(operand, [value]) { return text }
            let tested = comparison == .equal ? operand.equatable : nil
            let test = "\(tested ?? operand.text) \(sign) \(bind(value, operand.form))"
            return bounded(test, operand, comparison, value)
        case _ where comparison == .equal: return "FALSE"
        case .after(let value):
            return "\(operand.text) \(isSmaller ? "<=" : ">") \(bind(value, operand.form))"
        case .aboveAll: return isSmaller ? everything : "FALSE"
        case .belowAll: return isSmaller ? "FALSE" : everything
        case .nowhere: return "FALSE"
        }
    }

    /// Adds bounds on the column itself to a test of an expression on the column, so that an index
    /// over the column can be used.
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

    /// Returns a test whether a folded string equals one of some values, with a condition on the
    /// column itself that an index of the table's owner may serve; nil if no such condition is true
    /// for all equal strings.
    private mutating func narrowed(_ operand: SQLOperand, _ values: [StoredValue]) -> String? {
        guard operand.isFoldedForeign, !isConstant, let source = operand.source,
            dialect.equalsIgnoringASCIICase(source.text, among: []) != nil
        else { return nil }
        var spellings: [String] = []
        for value in values {
            guard case .text(let text) = value, let found = text.spellingsBeyondASCII,
                spellings.count + found.count <= Self.mostSpellings
            else { return nil }
            spellings += found
        }
        let places = spellings.map { bind(.text($0), .text) }
        let tests = values.map { "\(operand.text) = \(bind($0, operand.form))" }
        guard let narrow = dialect.equalsIgnoringASCIICase(source.text, among: places) else {
            return nil
        }
        let test = tests.count == 1 ? tests[0] : "(\(tests.joined(separator: " OR ")))"
        return "(\(narrow) AND \(test))"
    }

    /// Compares two paths. Returns nil if the columns hold the values in different forms.
    private func compare(
        _ path: FieldPath, _ comparison: ConditionTree.Comparison, _ other: FieldPath
    ) -> String? {
        guard let one = operand(path), let two = operand(other), one.form == two.form,
            comparison == .equal || dialect.orders(one.form)
        else { return nil }
        guard comparison == .equal else {
            return "\(one.text) \(comparison.rawValue) \(two.text)"
        }
        let test = "\(one.text) = \(two.text)"
        guard one.isOptional, two.isOptional else { return test }
        return "(\(test) OR (\(one.presence) IS NULL AND \(two.presence) IS NULL))"
    }

    /// Returns the operand of a path that is compared with another one; nil if it is not one column
    /// that is compared as the path says.
    private func operand(_ path: FieldPath) -> SQLOperand? {
        guard path.ignoresCase == table.entity.comparable(path).ignoresCase,
            let operands = table.operands(path, dialect), operands.count == 1,
            !operands[0].form.isOpaque
        else { return nil }
        return operands[0]
    }

    /// Returns the components of a reference to a composite id; nil if the value is not such a
    /// reference.
    private func components(_ value: StoredValue, of field: Int) -> [StoredValue]? {
        guard case .composite(let layout) = table.entity.layout.fields[field].type,
            case .object(let members) = value
        else { return nil }
        let values = layout.fields.map { members[$0.name] ?? .null }
        return values.contains(.null) ? nil : values
    }

    /// Tests whether a path has one of several values, null among them. Values that the column
    /// cannot hold are dropped.
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
                guard let comparand = SQLComparand(value, operands[0].form, dialect) else {
                    return nil
                }
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

    /// Tests whether an operand equals one of several values. There is at least one value and none
    /// is null.
    private mutating func isAmong(_ operand: SQLOperand, _ values: [StoredValue]) -> String? {
        if let text = narrowed(operand, values) { return text }
        let tested = operand.equatable ?? operand.text
        if values.count == 1 { return "\(tested) = \(bind(values[0], operand.form))" }
        if values.count > Self.shortList, !isConstant, dialect.bindsLists(of: operand.form) {
            return dialect.isAmong(tested, list: bind(.list(values), operand.form))
        }
        guard values.count <= Self.longList, parameters.count <= Self.mostParameters else {
            return nil
        }
        // Padded to a power of two with the last value, so that few statement texts serve lists of
        // all lengths.
        var count = 2
        while count < values.count { count *= 2 }
        let places = (0..<count).map { bind(values[min($0, values.count - 1)], operand.form) }
        return "\(tested) IN (\(places.joined(separator: ", ")))"
    }

    /// Translates a text search. Searches that ignore case are left to the runtime.
    private mutating func text(_ path: FieldPath, _ search: TextSearch) -> String? {
        guard !search.ignoringCase, let operand = table.operands(path, dialect)?.first,
            operand.form == .text
        else { return nil }
        // No stored string contains U+0000.
        if !dialect.bindsNUL, search.text.unicodeScalars.contains("\0") { return "FALSE" }
        switch search.kind {
        case .equals:
            return "\(operand.equatable ?? operand.text) = \(bind(.text(search.text), .text))"
        case .contains:
            return dialect.contains(operand.text, part: bind(.text(search.text), .text))
        case .hasPrefix:
            if search.text.isEmpty { return "\(operand.presence) IS NOT NULL" }
            // Written as a range, so that an index can be used.
            let lower = "\(operand.text) >= \(bind(.text(search.text), .text))"
            guard let next = search.text.successorOfPrefix else { return lower }
            return "(\(lower) AND \(operand.text) < \(bind(.text(next), .text)))"
        }
    }

    /// Tests whether a list, stored as JSON, contains an element.
    private mutating func hasElement(_ path: FieldPath, _ element: StoredValue) -> String? {
        guard !isConstant, path.names.isEmpty,
            table.entity.layout.fields.indices.contains(path.field),
            case .list(let type, _) = table.entity.layout.fields[path.field].type,
            let operand = table.operands(path, dialect)?.first, operand.form == .json
        else { return nil }
        if element == .null { return dialect.hasElement(operand.text, of: type, equalTo: nil) }
        let form = SQLColumnForm(type)
        guard let comparand = SQLComparand(element, form, dialect),
            dialect.hasElement(operand.text, of: type, equalTo: "") != nil
        else { return nil }
        guard case .value(let value) = comparand else { return "FALSE" }
        return dialect.hasElement(operand.text, of: type, equalTo: bind(value, form))
    }
}

extension ConditionTree {
    /// The number of nodes of the condition.
    fileprivate var leafCount: Int {
        switch self {
        case .all(let conditions), .any(let conditions):
            conditions.reduce(1) { $0 + $1.leafCount }
        case .not(let condition): condition.leafCount + 1
        case .related(let related): related.condition.leafCount + 1
        case .constant, .compare, .compareFields, .isIn, .text, .hasElement, .invalid: 1
        }
    }
}
