import Foundation
import Generated
import RepositoryRuntime
import Testing

/// Nothing that holds a query's values prints them: not `print`, not `dump`, not a walk over mirrors.
@Suite("Values of queries are not printed")
struct HiddenValueTests {
    private static let secret = "s3cr3t-value"

    /// Every text that a value shows of itself, however deep.
    private func shown(_ value: Any, depth: Int = 0) -> [String] {
        var texts = [String(describing: value), String(reflecting: value)]
        if depth == 0 {
            var dumped = ""
            dump(value, to: &dumped)
            texts.append(dumped)
        }
        guard depth < 12 else { return texts }
        for child in Mirror(reflecting: value).children {
            texts.append(child.label ?? "")
            texts += shown(child.value, depth: depth + 1)
        }
        return texts
    }

    private func expectHidden(_ value: Any, _ line: Int = #line) {
        for text in shown(value) {
            #expect(!text.contains(Self.secret), "line \(line): \(text.prefix(300))")
        }
    }

    private var conditions: [Condition] {
        let fields = Client.Fields()
        let (name, email) = (fields.name, fields.email)
        let secret = Self.secret
        var conditions = [email == secret, email != secret, email < secret]
        conditions.append(email.in([secret, "b"]))
        conditions.append(email.contains(secret))
        conditions.append(email.hasPrefix(secret, ignoringCase: true))
        conditions.append(email.equalsIgnoringCase(secret))
        conditions.append(!(email == secret && name > secret))
        conditions.append(email == secret || name == secret || name == "x")
        conditions.append(email.in("a"...secret))
        return conditions
    }

    @Test func conditionsAndQueries() async throws {
        for condition in conditions {
            expectHidden(condition)
            expectHidden(condition.tree)
            expectHidden([condition.tree: [condition]])
            let query = Query<Client>.where { _ in condition }.sorted(by: \.email).limit(3)
            expectHidden(query)
            expectHidden([query] as [Any])
            expectHidden(try QueryEvaluator(query))
            for store in [InMemoryStore()] as [any EntityStore] {
                let repository = ClientRepository(
                    RepositoryContext(
                        store: store, schema: StoreSchema("Clients", [Client.self]),
                        fullScans: .allow))
                expectHidden(try await repository.explain(query))
                expectHidden(store.plan(query))
            }
        }
        let query = Query<Client>.where { $0.email == Self.secret }
        #expect("\(query.limit(2))" == "Query<Client>.where(email == ?).limit(2)")
        #expect("\(Query<Client>.all)" == "Query<Client>")
    }

    @Test func plansAndSelections() {
        let value = StoredValue.text(Self.secret)
        let scan = IndexScan(
            0, equal: [value], lower: .init(value, isIncluded: true),
            upper: .init(value, isIncluded: false), after: [value])
        expectHidden(scan)
        expectHidden(scan.lower as Any)
        var selection = StoreSelection(
            [.compare(FieldPath(1, [Self.secret]), .equal, value)],
            sortKeys: [SortKey(path: FieldPath(1, [Self.secret]), direction: .ascending)],
            after: [value])
        selection.mostOfEach = .init(FieldPath(2, [Self.secret]), maximum: 3)
        expectHidden(selection)
        for access in [.ids([[value]]), .index([scan]), .selection(selection)] as [QueryPlan.Access]
        {
            expectHidden(access)
            expectHidden(
                QueryPlan(access, remainder: selection.conditions, sortsInRuntime: true))
        }
        expectHidden(TextSearch(.contains, Self.secret))
        expectHidden(SQL("SELECT * FROM t WHERE a = \(Self.secret)"))
    }

    @Test func pagesCursorsAndUpdates() async throws {
        let repository = ClientRepository(
            RepositoryContext(
                store: InMemoryStore(), schema: StoreSchema("Clients", [Client.self]),
                fullScans: .allow))
        for number in 0..<3 {
            try await repository.create(
                Client(
                    id: .init("c\(number)"), name: "n\(number)", email: "\(number)@\(Self.secret)"))
        }
        let page = try await repository.page(Query<Client>.sorted(by: \.email).limit(2))
        expectHidden(page)
        expectHidden(page.next as Any)
        // The text itself is the caller's, to be kept or sent.
        let next = try #require(page.next)
        #expect(QueryCursor(next.description) == next)
        expectHidden(Query<Client>.sorted(by: \.email).page(after: next))
        _ = try await repository.updateAll(.limit(1)) { update in
            update.email = "new@\(Self.secret)"
            expectHidden(update)
        }
    }
}
