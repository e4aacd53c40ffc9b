#if PostgreSQL
    import RepositoryRuntime
    import RepositoryTesting
    import Testing

    @testable import RepositoryPostgreSQL

    /// The behaviours of the suite on a cluster.
    @Suite(
        "Every behaviour on Citus", .serialized,
        .enabled(if: CitusCluster.isGiven, CitusCluster.reason))
    struct CitusBehaviourTests {
        private static let chosen = PostgreSQLBehaviourTests.chosen

        @Test("with the distributed entities of the suite") func all() async {
            await CitusCluster.check(
                Self.chosen, CitusCluster.harness { CitusCluster.store($0) }, "as declared")
        }

        @Test("with all other entities everywhere") func everywhere() async {
            // A table gains a search, which a table of all nodes cannot have.
            let beyond = "search.added"
            await CitusCluster.check(
                Self.chosen.filter { $0.area != "distribution" && $0.id != beyond },
                CitusCluster.harness(
                    { CitusCluster.store($0) }, lacks: [.uniqueExchange],
                    spread: CitusCluster.everywhere),
                "all other entities everywhere")
        }

        /// The migrations after which a table cannot be distributed by its id alone: it has references
        /// or another unique index. The generator refuses such schemas.
        private static let beyondIDs: Set<String> = [
            "migrations.reference", "migrations.unique", "migrations.split", "migrations.merged",
            "migrations.tablesFailing", "migrations.tablesRefused",
        ]

        @Test(
            "of migrations, with all entities everywhere or by their ids", arguments: [true, false])
        func migrations(everywhere: Bool) async {
            await CitusCluster.check(
                PostgreSQLBehaviourTests.chosen(from: StoreBehaviour.migrations).filter {
                    everywhere || !Self.beyondIDs.contains($0.id)
                },
                CitusCluster.harness(
                    { CitusCluster.store($0) },
                    spread: everywhere ? CitusCluster.everywhere : CitusCluster.byID),
                everywhere ? "migrations, everywhere" : "migrations, by ids")
        }

        @Test("of changing schemas, with entities distributed by their ids")
        func evolution() async {
            await CitusCluster.check(
                Self.chosen.filter { ["evolution", "ignoringCase"].contains($0.area) },
                CitusCluster.harness({ CitusCluster.store($0) }, spread: CitusCluster.byID),
                "changing schemas, by ids")
        }

        @Test("of distribution, with lost answers asked for and changes noted")
        func journal() async {
            await CitusCluster.check(
                Self.chosen.filter { $0.area == "distribution" },
                CitusCluster.harness {
                    CitusCluster.store($0, exactlyOnce: true, observing: true)
                }, "with a journal")
        }
    }
#endif
