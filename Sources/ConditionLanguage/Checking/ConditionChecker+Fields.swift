/// Which operands of a comparison are fields, and what they can be compared with.
extension ConditionChecker {
    /// Returns whether an operand is a path that begins with the name of a field.
    func namesField(_ operand: ConditionOperand) -> Bool {
        guard case .path(let path) = operand.kind else { return false }
        return context.isField(path[0].name)
    }

    /// Returns whether an operand is the name of a case of another operand's enum.
    func isCase(_ operand: ConditionOperand, of other: ConditionOperand) -> Bool {
        guard case .path(let path) = operand.kind, case .path(let otherPath) = other.kind else {
            return false
        }
        return isCase(path, of: otherPath)
    }

    /// Returns whether the left operand of a comparison is the field. If both are names, one of
    /// them may be a case of the other one's enum.
    ///
    /// ```
    /// status == onLoan      the field is on the left
    /// onLoan == status      the field is on the right
    /// ```
    func isField(
        _ left: ConditionOperand, beside right: ConditionOperand
    ) throws(ConditionProblem) -> Bool {
        guard case .path(let leftPath) = left.kind else { return false }
        guard case .path(let rightPath) = right.kind else { return true }
        if isCase(rightPath, of: leftPath) { return true }
        if isCase(leftPath, of: rightPath) { return false }
        // Neither is an enum case: the side that names a field is the field.
        return context.isField(leftPath[0].name) || !context.isField(rightPath[0].name)
    }

    /// Returns whether a path is the name of a case of another path's enum.
    private func isCase(
        _ path: [(name: String, range: Range<Int>)], of other: [(name: String, range: Range<Int>)]
    ) -> Bool {
        guard path.count == 1, let field = try? context.field(other),
            case .enumeration(let enumeration) = context.scope.innermostKind(of: field.type)
        else { return false }
        return enumeration.contains(path[0].name)
    }

    /// Returns the type that a field can be compared with. Throws if values of the field cannot be
    /// compared, or have no order.
    ///
    /// Lists, maps, values and unions cannot be compared. A composite id can be compared for
    /// equality only.
    func comparable(
        _ field: ConditionField<Scope>, _ operand: ConditionOperand,
        _ comparison: ConditionComparison?
    ) throws(ConditionProblem) -> Scope.FieldType {
        let type = field.type.unwrapped
        let name = Self.name(operand)
        let help: String
        switch context.scope.conditionKind(of: type) {
        case .list: help = "write 'contains(\(name), …)'"
        case .map, .union: help = "'isNull' is all that can be asked of it"
        case .value(_, let fields, _):
            let member = fields.first.map(context.scope.name) ?? "field"
            help = "compare its fields: '\(name).\(member)'"
        case .record where comparison?.isOrder == true && context.isComposite(type):
            throw ConditionProblem(
                "an id of several components has no order", operand.range,
                "write '==' or '!='")
        default: return type
        }
        throw ConditionProblem(
            "'\(name)' is \(context.scope.described(type)), which cannot be compared",
            operand.range, help
        )
    }
}

extension ConditionContext {
    /// Returns whether a type is that of an id of several fields.
    func isComposite(_ type: Scope.FieldType) -> Bool {
        guard case .record(let record) = scope.conditionKind(of: type) else { return false }
        return scope.idField(of: record) == nil
    }
}
