public import RepositorySchema

/// Checks what needs the whole set: names that meet, types that exist, rules between declarations.
///
/// All mistakes are collected. Of a declaration that the parser could not read completely, only what
/// is there is checked, so that one mistake is not reported twice.
public struct Validator {
    let scope: SchemaScope
    let options: ValidationOptions
    var diagnostics: [Diagnostic] = []
    /// The help for unknown types, by name: one that is gone may be named in thousands of places.
    var helpForTypes: [String: String] = [:]
    /// What the conditions of mixins may name, by their names: a mixin may be included in thousands of places.
    var contextsOfMixins: [String: ConditionContext] = [:]

    /// Checks a set.
    ///
    /// - Parameters:
    ///   - set: What the parser read.
    ///   - options: What the schemas do not say.
    ///   - memory: What was found out before of sets whose `revisions` come from one ``SchemaMemory``: only those declarations
    ///     are checked of which something may be found now, and what is found out is kept there.
    /// - Returns: What is wrong with it; nothing may be generated from the set when that is anything.
    public static func validate(
        _ set: SchemaSet, options: ValidationOptions = ValidationOptions(),
        memory: CheckMemory? = nil
    ) -> [Diagnostic] {
        let scope = SchemaScope(set)
        let changed = memory?.declarations(in: scope, options: options) {
            var validator = Validator(scope: $1, options: options)
            for declaration in $0 { validator.check(declaration) }
            return validator.diagnostics
        }
        return validate(scope, options, declarations: changed ?? scope.set.declarations)
    }

    /// - Parameter declarations: those that are checked by themselves; all are checked together.
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
        return validator.diagnostics
    }

    mutating func add(
        _ message: String, at range: SourceRange, help: String? = nil,
        notes: [Diagnostic.Note] = []
    ) {
        diagnostics.append(Diagnostic(message, at: range, help: help, notes: notes))
    }

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

    private mutating func check(_ entity: EntityDeclaration) {
        let fields = scope.fields(of: entity)
        checkInclude(of: entity)
        checkMembers(fields, of: entity)
        checkIdentity(of: entity)
        // What a mixin says of its fields is checked there, once.
        for field in entity.fields where field.origin == nil { check(field) }
        if case .single(let id) = entity.identity, checkType(of: id) {
            // The default of an id has rules of its own.
            checkIdDefault(id)
            checkRules(of: id)
        }
        for field in fields where field.origin == nil { checkStored(field) }
        checkVersion(in: entity.fields)
        checkEarlierNames(fields, of: entity)
        checkColumns(of: fields)
        checkIndexes(of: entity)
        checkRelations(of: entity)
        checkChecks(of: entity)
        checkQueries(of: entity)
        checkConformances(of: entity)
    }

    private mutating func check(_ value: ValueDeclaration) {
        if value.fields.isEmpty, value.header.isComplete {
            add(
                "the value '\(value.header.name.value)' has no fields", at: value.header.name.range,
                help: "add one under 'fields'")
        }
        checkMembers(value.fields, of: value)
        checkEarlierNames(value.fields)
        for field in value.fields { check(field) }
    }

    /// Checks what a field says by itself.
    mutating func check(_ field: FieldDeclaration) {
        guard checkType(of: field) else { return }
        checkDefault(of: field)
        checkRules(of: field)
    }

    private mutating func checkRules(of field: FieldDeclaration) {
        checkBounds(of: field)
        checkLengths(of: field)
        checkPattern(of: field)
        checkScale(of: field)
    }
}
