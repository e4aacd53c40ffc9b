#if Observability
    import CoreMetrics
    import InMemoryLogging
    import InMemoryTracing
    import Logging
    import MetricsTestKit
    import RepositoryObservability
    import RepositoryRuntime
    import Testing
    import Tracing

    /// What the adapters pass on.
    @Suite struct AdapterTests {
        private let store = InMemoryStore()
        private let schema = StoreSchema("Empty", [])

        @Test func operationsAreLogged() async throws {
            let handler = InMemoryLogHandler()
            var logger = Logger(label: "store") { _ in handler }
            logger.logLevel = .debug
            let log = StoreLog(logger)
            #expect(log.isEnabled)
            try await store.instrumented(by: log).open(schema)
            let entry = try #require(handler.entries.first)
            #expect(entry.message == "open")
            #expect(entry.metadata["repository.outcome"] == "success")
            log.notice(.fullScan(table: "books", message: "Reads all."))
            #expect(handler.entries.last?.level == .warning)
            #expect(handler.entries.last?.metadata["repository.table"] == "books")
            logger.logLevel = .error
            #expect(!StoreLog(logger).isEnabled)
        }

        @Test func operationsAreCounted() async throws {
            let system = TestMetrics()
            let metrics = StoreMetrics(factory: system)
            let store = store.instrumented(by: metrics)
            try await store.open(schema)
            try await store.open(schema)
            try await store.close()
            await #expect(throws: CRUDRepositoryError.self) { try await store.open(schema) }
            let dimensions = [("operation", "open"), ("table", "-")]
            let timer = try system.expectTimer(
                "repository.duration", dimensions + [("outcome", "success")])
            #expect(timer.values.count == 2)
            let failed = try system.expectTimer(
                "repository.duration", dimensions + [("outcome", "storeClosed")])
            #expect(failed.values.count == 1)
        }

        @Test func operationsAreSpans() async throws {
            let tracer = InMemoryTracer()
            let store = store.instrumented(by: StoreTracing(tracer))
            try await tracer.withSpan("request") { _ in try await store.open(schema) }
            try await store.close()
            await #expect(throws: CRUDRepositoryError.self) { try await store.open(schema) }
            let spans = tracer.finishedSpans
            #expect(spans.map(\.operationName) == ["open", "request", "close", "open"])
            #expect(spans[0].parentSpanID == spans[1].spanID)
            #expect(spans[3].status?.code == .error)
        }
    }
#endif
