#if Observability
    public import RepositoryRuntime
    public import Tracing

    /// An instrument that runs each operation of a store in a span of `swift-distributed-tracing`.
    ///
    /// The span is a child of the current span, and the parent of spans that begin inside the
    /// operation. Its attributes are names of tables, indexes and operations, numbers and codes of
    /// errors, never values of fields or ids.
    public struct StoreTracing: StoreInstrument {
        private let tracer: any Tracer

        /// Creates an instrument.
        ///
        /// - Parameter tracer: the tracer.
        public init(_ tracer: any Tracer) {
            self.tracer = tracer
        }

        /// Runs an operation in a span.
        public func run(_ operation: StoreOperation, _ body: () async -> StoreReport) async {
            let name =
                operation.table.map { "\(operation.kind) \($0)" } ?? operation.kind.rawValue
            await tracer.withSpan(name, ofKind: .client) { span in
                span.attributes["repository.operation"] = operation.kind.rawValue
                if let table = operation.table { span.attributes["repository.table"] = table }
                if let access = operation.accessName {
                    span.attributes["repository.access"] = access
                }
                let report = await body()
                span.attributes["repository.rows"] = report.volume.rows
                span.attributes["repository.outcome"] = report.outcomeName
                if report.outcome != .success { span.setStatus(SpanStatus(code: .error)) }
            }
        }
    }
#endif
