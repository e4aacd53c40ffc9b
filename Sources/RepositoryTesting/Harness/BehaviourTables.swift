internal import RepositoryRuntime

/// The tables that behaviours use.
///
/// A store is opened with these alone. Opening is the most expensive operation of most behaviours,
/// and its cost grows with the number of tables. A behaviour that uses another table fails with
/// `unsupported`, which names the entity, and is added here.
enum BehaviourTables {
    /// Entities, and the areas and behaviours that use them. What is said of a behaviour replaces
    /// what is said of its area. A behaviour without an entry has all entities.
    private static let uses: [([any Entity.Type], String)] = [
        (
            [Article.self],
            """
            finders ignoringCase indexes group.count group.functions queries.declared.all \
            queries.declared.ids queries.declared.lists queries.declared.negation \
            queries.declared.range queries.declared.sorted queries.declared.text \
            queries.order.condition
            """
        ),
        ([Currency.self], "distribution"),
        ([Deed.self], "creation"),
        ([Contract.self], "creation.conflict creation.draft creation.version"),
        (
            [Writer.self],
            "random relations relatives search queries.fields.compared queries.fields.null"
        ),
        ([Margin.self], "search.composite"),
        (
            [Hall.self],
            """
            references batches.createAllReference batches.deleteAllRestricted \
            batches.deleteIDsRestricted concurrency.references deletes.cascade \
            deletes.restricted hostileIDs.composite listing.compositeOrder observation.cascade \
            observation.compositeId observation.setNull project.ids queries.declared.composite \
            queries.id.composite queries.large.references queries.pages.composite replace.held \
            replace.references reset.referred transactions.cascade transactions.referencesBroken \
            transactions.referencesGivenUp transactions.referencesLater transactions.restricted \
            updates.key updates.reference
            """
        ),
        (
            [Folder.self],
            """
            observation.cascadeChain references.chain references.circle references.counted \
            references.inBatch references.itself
            """
        ),
        (
            [Reply.self],
            """
            references.batch.dangling references.batch.deletion references.batch.together \
            references.batch.twins references.batch.updateAll
            """
        ),
        (
            [Counter.self],
            """
            listing streams batches.large concurrency.manyIDs concurrency.open ids.integers \
            ids.missingInteger observation.manyRecords observation.wholeBatches \
            queries.order.numbers transactions.long transactions.nestedAgain
            """
        ),
        ([Grade.self], "ids.enums"),
        ([Season.self], "ids.enumTexts"),
        ([Holiday.self], "ids.dayBounds ids.dayIndexes ids.dayOrder ids.days"),
        ([Sender.self], "softDelete"),
        (
            [Counterfoil.self],
            """
            softDelete.delete softDelete.lists softDelete.purge softDelete.race softDelete.reset \
            softDelete.restore softDelete.save softDelete.tolerant softDelete.transaction \
            softDelete.updateDeleted softDelete.writes
            """
        ),
        (
            [Member.self],
            """
            exchange unique batches.createAllConflict batches.saveAllConflict concurrency.unique \
            errors.order hostileIDs.values ignoringCase.elsewhere ignoringCase.itself replace.unique reset.indexes \
            transactions.unique transactions.uniqueAfterwards updates.unique
            """
        ),
        (
            [Note.self],
            """
            batches cancellation closing concurrency conflicts errors hostileIDs observation \
            opening records replace reset sets transactions upkeep deletes.many finders.integer \
            group.many ids.case ids.long ids.unicodeForms ids.whitespace listing.empty \
            listing.textOrder listing.tolerant merge.batch merge.gone queries.refused.otherTable \
            queries.stream.left queries.stream.memory queries.stream.sortedMemory random.records \
            updates.index indexes.damaged
            """
        ),
        ([Offer.self], "exchange.checked updates.invalidFirst violations.single"),
        ([Postcard.self], "kinds queries.scalars queries.unions"),
        (
            [Product.self],
            """
            changes deletes drafts merge patches project updates validation violations \
            batches.createAllInvalid conflicts.keepChecked errors.secret group.embedded \
            queries.beyond.stock queries.list.text replace.invalid replace.nothing
            """
        ),
        ([Specimen.self], "queries.list.nulls updates.types"),
        (
            [Sparse.self],
            """
            group queries patches.race patches.types project.types records.clear \
            updates.arithmetic updates.deeplyEmbedded updates.embeddedOverflow \
            updates.largeNumbers updates.null updates.optional updates.otherField \
            updates.overflow validation.notFinite
            """
        ),
        (
            [Ticket.self],
            """
            stamps versions concurrency.versions conflicts.failVersion conflicts.keepVersion \
            conflicts.new conflicts.replaceVersion drafts.create errors.conflict ids.generated \
            ids.uuid listing.uuidOrder merge.concurrent merge.unchanged merge.versionConflict \
            merge.versions observation.versions patches.stamps patches.version replace.stale \
            replace.versions transactions.versions updates.version updates.versions
            """
        ),
        (
            [Volume.self],
            """
            indexes.values.after indexes.values.finder indexes.values.planned \
            indexes.values.scan indexes.values.unique indexes.values.upkeep
            """
        ),
        ([Article.self, Hall.self], "indexes.cascades"),
        ([Deed.self, Contract.self], "creation.closure"),
        ([Writer.self, Hall.self], "ids"),
        ([Hall.self, Reply.self], "references.batch.deletionHeld"),
        ([Hall.self, Member.self], "errors.constraint patches.constraints"),
        ([Folder.self, Reply.self], "references.batch.anyOrder"),
        (
            [Counter.self, Note.self],
            """
            batches.deleteAll listing.count observation.afterCommit observation.otherTables \
            observation.together observation.togetherBranch observation.togetherConsistent \
            observation.togetherOther reset.empties transactions.acrossRepositories \
            transactions.childTasks
            """
        ),
        ([Grade.self, Season.self], "listing.enumOrder"),
        ([Note.self, Product.self], "upkeep.backup.whole"),
        ([Note.self, Sparse.self], "group.nothing records.tables"),
        ([Product.self, Ticket.self], "changes.race"),
        ([Specimen.self, Sparse.self], "types"),
        ([Article.self, Product.self, Sparse.self], "random.queries"),
        (
            [
                Article.self, Hall.self, Folder.self, Reply.self, Member.self, Note.self,
                Offer.self, Ticket.self,
            ], "random.everything"
        ),
    ]

    /// The tables by the names of areas and behaviours.
    private static let byName: [String: Set<String>] = {
        var found: [String: Set<String>] = [:]
        for (types, names) in uses {
            let tables = connected(to: Set(types.map { $0.linkedTable }))
            for name in names.split(separator: " ") { found[String(name)] = tables }
        }
        return found
    }()

    /// Returns the tables of a behaviour; nil if it has all.
    static func names(of behaviour: BehaviourDescription) -> Set<String>? {
        byName[behaviour.id] ?? byName[behaviour.area]
    }

    /// Returns some tables with all that refer to them and that they refer to.
    private static func connected(to tables: Set<String>) -> Set<String> {
        var found = tables
        for table in Conformance.schema.tables {
            let others = Set(table.fields.compactMap { $0.reference?.table }).union([table.name])
            if !found.isDisjoint(with: others) { found.formUnion(others) }
        }
        return found == tables ? found : connected(to: found)
    }
}
