/// The table of verdicts. The page `Verdicts` documents it, and a test compares both.
extension ChangeGrades {
    /// Returns the row of a code.
    package static func table(_ code: ChangeCode) -> ChangeGrades {
        switch code {
        case .tableAdded, .typeAdded: row(.kept)
        case .tableRemoved:
            row(.dropped, "the type", .bothRefused, .all(.atOnce), .brief)
        case .tableRenamed: row(.kept, nil, .bothRefused, .all(.atOnce), .brief)
        case .tableMigrated: row(.needsCode, nil, .bothRefused, .all(.rewritesAll), .writers)
        case .manageChanged: row(.kept, nil, .columnsRefused)
        case .readOnlyChanged: row(.kept, "the methods that write")
        case .typeRemoved, .typeRenamed: row(.kept, "the type")
        case .scalarChanged: row(.kept, "the Swift type of the scalar", .bothRefused)
        case .nameReused:
            row(
                .dropped, nil, .bothRefused,
                Costs(sqlite: .atOnce, documents: .rewritesAll, postgresql: .atOnce))

        case .idChanged:
            row(.asDeclared, "the id", .bothRefused, .all(.rewritesAll), .writers)
        case .fieldAdded: row(.kept, nil, .documentsRefused, .all(.atOnce), .brief)
        case .requiredFieldAdded:
            row(
                .asDeclared, "the initializer", .bothRefused, .columns(.rewritesAll), .writers)
        case .fieldRemoved:
            row(
                .dropped, "the property", .bothRefused,
                .definition, .brief)
        case .fieldRenamed: row(.kept, "the property", .documentsRefused)
        case .columnRenamed: row(.kept, nil, .columnsRefused, .all(.atOnce), .brief)
        case .columnTypeChanged, .encryptionChanged:
            row(.converted, nil, .columnsRefused, .columns(.rewritesAll), .writers)

        case .memberAdded: row(.kept, nil, .bothRefused)
        case .requiredMemberAdded:
            row(
                .asDeclared, "the initializer", .bothRefused, .columns(.rewritesAll), .writers)
        case .memberRemoved:
            row(.dropped, "the property", .bothRefused, .columns(.rewritesAll), .writers)
        case .memberRenamed:
            row(.kept, "the property", .bothRefused, .columns(.rewritesAll), .writers)

        case .typeChanged:
            row(
                .asDeclared, "the type of the property", .bothRefused, .all(.rewritesAll), .writers)
        case .typeWidened:
            row(
                .kept, "the type of the property", .bothRefused,
                Costs(sqlite: .atOnce, documents: .atOnce, postgresql: .rewritesAll), .writers)
        case .swiftTypeChanged: row(.kept, "the type of the property")
        case .becameRequired:
            row(
                .asDeclared, "the type of the property", .bothRefused, .all(.rewritesAll), .writers)
        case .becameOptional:
            row(
                .kept, "the type of the property", .bothRefused,
                .definition, .brief)
        case .defaultChanged:
            row(
                .kept, "the initializer", .documentsRefused,
                Costs(sqlite: .atOnce, documents: .rewritesAll, postgresql: .atOnce), .brief)
        case .rulesLoosened:
            row(
                .kept, nil, .documentsRefused,
                .definition, .brief)
        case .rulesTightened: row(.kept, nil, .bothRefused)
        case .rulesChanged: row(.kept, nil, .bothRefused, .definition, .brief)
        case .foldingChanged:
            row(
                .kept, nil, .bothRefused,
                Costs(sqlite: .rewritesAll, documents: .readsAll, postgresql: .readsAll), .brief)
        case .versionFieldChanged: row(.kept, nil, .bothRefused)
        case .creationDateChanged: row(.kept, "the initializer")
        case .updateDateChanged, .sensitiveChanged: row(.kept)
        case .computedChanged: row(.kept, "the setter of the property")
        case .softDeleteAdded: row(.kept, nil, .bothRefused)
        // Elsewhere than in a distributed database it is an index at most.
        case .distributionChanged:
            row(
                .kept, nil, .bothWork,
                Costs(sqlite: .atOnce, documents: .atOnce, postgresql: .rewritesAll), .writers)
        case .softDeleteRemoved:
            row(.dependsOnData, "'purge' and 'restore'", .bothRefused, .all(.readsAll))
        case .referenceAdded, .referenceChanged:
            row(
                .dependsOnData, nil, .bothRefused,
                Costs(sqlite: .rewritesAll, documents: .readsAll, postgresql: .readsAll), .brief)
        case .referenceRemoved:
            // The database no longer does what the older program expects of a deletion.
            row(.kept, nil, .bothRefused, .definition, .brief)
        case .deleteRuleChanged:
            row(.kept, nil, .documentsRefused, .definition, .brief)

        case .caseAdded, .unionCaseAdded: row(.kept, "exhaustive switches", .bothRefused)
        case .openCaseAdded: row(.kept, "exhaustive switches")
        case .caseRemoved:
            row(.converted, "the case", .bothRefused, .all(.rewritesAll), .writers)
        case .caseRenamed: row(.kept, "the case")
        case .rawValueChanged: row(.converted, nil, .bothRefused, .all(.rewritesAll), .writers)
        case .rawTypeChanged:
            row(.converted, "the raw value", .bothRefused, .all(.rewritesAll), .writers)
        case .unknownCaseAdded: row(.kept, "exhaustive switches", .bothRefused)
        case .unknownCaseRemoved:
            row(.dependsOnData, "the case", .bothRefused, .all(.readsAll), .brief)
        case .unionCaseRemoved:
            row(.dependsOnData, "the case", .bothRefused, .all(.readsAll))

        case .indexAdded: row(.kept, nil, .documentsRefused, .all(.readsAll))
        case .uniqueIndexAdded: row(.dependsOnData, nil, .bothRefused, .all(.readsAll))
        case .indexRemoved, .uniqueIndexRemoved:
            row(.kept, "the finder", .documentsRefused, .all(.atOnce), .brief)
        case .indexRenamed: row(.kept, nil, .documentsRefused, .all(.readsAll))
        case .checkAdded: row(.kept, nil, .bothRefused)
        case .checkRemoved, .checkChanged:
            row(
                .kept, nil, code == .checkRemoved ? .documentsRefused : .bothRefused,
                .definition, .brief)

        case .fieldsReordered: row(.kept, "the initializer")
        case .casesReordered: row(.kept)
        }
    }

    /// What an older program can do.
    private enum Older {
        case bothWork, documentsRefused, columnsRefused, bothRefused
    }

    /// The costs in the stores.
    private struct Costs {
        var sqlite: Cost
        var documents: Cost
        var postgresql: Cost

        static func all(_ cost: Cost) -> Costs {
            Costs(sqlite: cost, documents: cost, postgresql: cost)
        }

        /// A change of the definition of a table, which SQLite cannot change.
        static let definition = Costs(
            sqlite: .rewritesAll, documents: .atOnce, postgresql: .atOnce)

        static func columns(_ cost: Cost) -> Costs {
            Costs(sqlite: cost, documents: .atOnce, postgresql: cost)
        }
    }

    private static func row(
        _ data: StoredData, _ breaks: String? = nil, _ older: Older = .bothWork,
        _ costs: Costs = .all(.atOnce), _ lock: Lock = .none
    ) -> ChangeGrades {
        ChangeGrades(
            data: data, breaks: breaks,
            olderOnColumns: older == .columnsRefused || older == .bothRefused ? .refused : .works,
            olderOnDocuments: older == .documentsRefused || older == .bothRefused
                ? .refused : .works,
            sqlite: costs.sqlite, documents: costs.documents, postgresql: costs.postgresql,
            lock: lock)
    }
}
