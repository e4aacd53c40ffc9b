internal import ConditionLanguage
public import RepositorySchema

/// Validates a schema set: unique names, existing types, and the rules within and between
/// declarations.
///
/// All errors are collected. Of a declaration that the parser could not read completely, only the
/// available parts are checked, so that one mistake is not reported twice.
///
/// Each group of rules has a file of its own, as an extension.
public struct Validator {
    /// The declarations, with mixins expanded.
    let scope: SchemaScope
    let options: ValidationOptions
    /// The errors found so far.
    var diagnostics: [Diagnostic] = []
    /// The suggestions for unknown types, by type name. Thousands of fields can refer to the same
    /// missing type.
    var helpForTypes: [String: String] = [:]
    /// The contexts of conditions in mixins, by mixin name. Thousands of entities can include the
    /// same mixin.
    var contextsOfMixins: [String: ConditionContext] = [:]

    /// Validates a set.
    ///
    /// - Parameters:
    ///   - set: The output of the parser.
    ///   - options: The input that is not part of the schemas.
    ///   - cache: The cache of earlier runs, for sets whose `revisions` come from one
    ///     ``SchemaCache``. Cached declarations are not checked again, and new results are added
    ///     to the cache. Rules that involve all declarations are always checked.
    /// - Returns: The errors. If there are any, nothing may be generated from the set.
    public static func validate(
        _ set: SchemaSet, options: ValidationOptions = ValidationOptions(),
        cache: CheckCache? = nil
    ) -> [Diagnostic] {
        let scope = SchemaScope(set)
        let changed = cache?.declarations(in: scope, options: options) {
            var validator = Validator(scope: $1, options: options)
            for declaration in $0 { validator.check(declaration) }
            return validator.diagnostics
        }
        return validate(scope, options, declarations: changed ?? scope.set.declarations)
    }

    /// Checks the rules of single declarations, then the rules that involve all declarations.
    ///
    /// - Parameter declarations: The declarations to check by themselves. The other rules cover the
    ///   complete set.
    private static func validate(
        _ scope: SchemaScope, _ options: ValidationOptions, declarations: [Declaration]
    ) -> [Diagnostic] {
        var validator = Validator(scope: scope, options: options)
        validator.checkTypeNames()
        for declaration in declarations { validator.check(declaration) }
        validator.checkTables()
        validator.checkIndexNames()
        validator.checkReferenceCircles()
        validator.checkValueCircles()
        validator.checkStores()
        validator.checkSourceClasses()
        validator.checkSettingsDecisions()
        return validator.diagnostics
    }

    /// Adds an error.
    mutating func add(
        _ message: String, at range: SourceRange, help: String? = nil,
        notes: [Diagnostic.Note] = []
    ) {
        diagnostics.append(Diagnostic(message, at: range, help: help, notes: notes))
    }

    /// Checks a declaration by itself.
    private mutating func check(_ declaration: Declaration) {
        switch declaration {
        case .entity(let entity): check(entity)
        case .value(let value): check(value)
        case .union(let union): check(union)
        case .enumeration(let enumeration): check(enumeration)
        case .scalar(let scalar): check(scalar)
        case .mixin(let mixin): check(mixin)
        }
    }

    /// Checks an entity, its fields, indexes, relations, checks and queries.
    private mutating func check(_ entity: EntityDeclaration) {
        let fields = scope.fields(of: entity)
        checkInclude(of: entity)
        checkMembers(fields, of: entity)
        checkIdentity(of: entity)
        // Rules for the fields of a mixin by themselves are checked once, at the mixin.
        for field in entity.fields where field.origin == nil { check(field) }
        if case .single(let id) = entity.identity, checkType(of: id) {
            // An id has special rules for its default.
            checkIdDefault(id)
            checkRules(of: id)
            checkConvert(ofID: id)
        }
        for field in fields where field.origin == nil { checkStored(field) }
        checkVersion(in: entity.fields)
        checkEarlierNames(fields)
        checkEarlierNames(entity.renamedFrom, of: entity.header)
        checkRemovedFields(entity.removed, entity.reuse, fields, entity.header)
        checkColumns(of: fields)
        checkIndexes(of: entity)
        checkRelations(of: entity)
        checkChecks(of: entity)
        checkQueries(of: entity)
        checkSearch(of: entity)
        checkSoftDelete(of: entity)
        checkExternalData(of: entity)
        checkDistribution(of: entity)
        checkReadOnly(of: entity)
        checkEncryption(of: entity)
        checkSources(of: entity)
        checkConformances(of: entity)
    }

    /// Checks a value and its fields.
    private mutating func check(_ value: ValueDeclaration) {
        if value.fields.isEmpty, value.header.isComplete {
            add(
                "the value '\(value.header.name.value)' has no fields", at: value.header.name.range,
                help: "add one under 'fields'")
        }
        checkMembers(value.fields, of: value)
        checkEarlierNames(value.fields)
        checkEarlierNames(value.renamedFrom, of: value.header)
        checkRemovedFields(value.removed, value.reuse, value.fields, value.header)
        checkSources(ofMembers: value.fields)
        for field in value.fields { check(field) }
    }

    /// Checks the rules of a field by itself: its type, default and constraints.
    mutating func check(_ field: FieldDeclaration) {
        guard checkType(of: field) else { return }
        checkDefault(of: field)
        checkRules(of: field)
        checkFill(of: field)
        checkConvert(of: field)
    }

    /// Checks the constraints of a field.
    private mutating func checkRules(of field: FieldDeclaration) {
        checkBounds(of: field)
        checkLengths(of: field)
        checkPattern(of: field)
        checkScale(of: field)
    }
}
