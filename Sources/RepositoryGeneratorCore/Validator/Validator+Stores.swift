internal import ConditionLanguage
internal import RepositorySchema

/// Rules that depend on the stores in the settings.
///
/// Without `stores` in the settings, these rules do not apply.
extension Validator {
    /// Checks that each store in the settings supports what the entities require.
    ///
    /// The capabilities of the known stores are declared by `KnownStore`. Each conflict is reported
    /// at the key that requires the capability, with a note at the store.
    ///
    /// ```yaml
    /// stores: [sqlite, fourMethods]
    /// ```
    ///
    /// With these settings, `index: true` is reported, because a store with four methods has no
    /// finders.
    mutating func checkStores() {
        for name in scope.set.settings.stores {
            guard let store = KnownStore(rawValue: name.value) else { continue }
            let note = Diagnostic.Note("'stores' names it here", at: name.range)
            if store.decidesIndexConditions { checkIndexConditions(of: name.value, note) }
            for entity in scope.entities where !store.lacks.isEmpty {
                for ask in asks(of: entity) where store.lacks.contains(ask.demand) {
                    add(
                        "the store '\(name.value)' cannot do what '\(ask.key)' asks", at: ask.place,
                        help: ask.demand == .references
                            ? "write 'onDelete: none', or leave the store out"
                            : "remove it, or leave the store out",
                        notes: [note])
                }
            }
        }
    }

    /// Checks the conditions of unique indexes for a store that enforces them in the database: the
    /// database has to evaluate the condition. An index that is not unique can cover all records
    /// instead.
    ///
    /// ```yaml
    /// indexes:
    ///   # reported for SQLite: 'tags' is a list
    ///   - { fields: name, unique: true, where: 'contains(tags, "new")' }
    /// ```
    private mutating func checkIndexConditions(of store: String, _ note: Diagnostic.Note) {
        for entity in scope.entities {
            let context = ConditionContext(entity, scope: scope)
                .without(parametersIn: ConditionContext.index)
            for index in entity.indexes where index.unique {
                guard let text = index.condition else { continue }
                var checker = ConditionChecker(context)
                // Problems of the condition itself are reported by ``checkChecks(of:)``.
                guard let condition = checker.check(text), checker.problems.isEmpty,
                    let reason = SQLiteConditions(scope: scope).reason(against: condition)
                else { continue }
                add(
                    "the store '\(store)' cannot tell which records a unique index covers by this "
                        + "condition: \(reason)",
                    at: index.origin?.range ?? text.range,
                    help: "compare other fields, or leave the store out", notes: [note])
            }
        }
    }

    /// A capability that an entity requires of a store.
    private struct Ask {
        /// The required capability.
        var demand: KnownStore.Demand
        /// The schema key that requires it, for the message.
        var key: String
        /// The place to report.
        var place: SourceRange
    }

    /// The capabilities that an entity requires: indexes, unique indexes, versions, enforced
    /// references, queries and external data.
    ///
    /// A field or an index of a mixin is reported at the `include` of the entity.
    private func asks(of entity: EntityDeclaration) -> [Ask] {
        var asks: [Ask] = []
        for field in scope.fields(of: entity) {
            let flags: [(KnownStore.Demand, String, Located<Bool>?)] = [
                (.finders, "index", field.index), (.uniqueIndexes, "unique", field.unique),
                (.versions, "version", field.version),
                (.externalData, "external", field.external),
            ]
            for (demand, key, flag) in flags {
                guard let flag, flag.value else { continue }
                asks.append(
                    Ask(demand: demand, key: key, place: field.origin?.range ?? flag.range))
            }
            guard scope.singleReference(field) != nil, field.deleteRule != .none
            else { continue }
            asks.append(
                Ask(
                    demand: .references,
                    key: "onDelete: \(field.deleteRule.rawValue)",
                    place: field.origin?.range ?? field.onDelete?.range ?? field.type.range))
        }
        for index in entity.indexes {
            asks.append(
                Ask(
                    demand: index.unique ? .uniqueIndexes : .finders,
                    key: index.unique ? "unique" : "indexes",
                    place: index.origin?.range ?? index.range))
        }
        for query in entity.queries {
            asks.append(Ask(demand: .queries, key: query.name.value, place: query.name.range))
        }
        for relation in entity.relations {
            asks.append(Ask(demand: .queries, key: relation.name.value, place: relation.name.range))
        }
        return asks
    }
}
