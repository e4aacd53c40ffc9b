#if canImport(SwiftUI)
    public import RepositoryRuntime
    public import SwiftUI

    /// The rows of an observed query as a property of a view.
    ///
    /// ```swift
    /// struct BookList: View {
    ///     @Live private var books: [Book]
    ///
    ///     init(_ library: Library) {
    ///         _books = Live(library.books.observe(.all.sorted(by: \.title)))
    ///     }
    ///
    ///     var body: some View {
    ///         List(books, id: \.isbn) { Text($0.title) }
    ///             .overlay { if $books.isLoading { ProgressView() } }
    ///     }
    /// }
    /// ```
    ///
    /// The observation starts when the view is shown for the first time, and ends with its state. A
    /// view that is created again keeps the first query; use ``LiveQuery/observe(_:)`` of the
    /// projected value to change it.
    @propertyWrapper @MainActor
    public struct Live<Row: Sendable>: @preconcurrency DynamicProperty {
        @State private var query: LiveQuery<Row>

        /// The last rows.
        public var wrappedValue: [Row] { query.rows }
        /// The query, with its state and its error.
        public var projectedValue: LiveQuery<Row> { query }

        /// Creates the property.
        ///
        /// - Parameter results: The observed query.
        public init(_ results: ObservedResults<[Row], CRUDRepositoryError>) {
            _query = State(initialValue: LiveQuery(results, isStarted: false))
        }

        /// Starts the observation when the view is shown.
        public mutating func update() { query.start() }
    }
#endif
