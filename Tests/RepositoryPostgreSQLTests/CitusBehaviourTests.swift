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
