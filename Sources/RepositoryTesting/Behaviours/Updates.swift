internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// The entities that `updateAll` changes.
    static let updates: [StoreBehaviour] = [
        update(
            "updates.count", "`updateAll` changes the matching entities and returns their number."
        ) {
            trial in
            try await trial.stock([3, 0, 5])
            let count = try await trial.products.updateAll(where: { $0.stock > 0 }) {
                $0.stock -= 1
            }
            try expect(count, is: 2)
            try await expect(trial.products.fetch().map(\.stock), is: [2, 0, 4])
        },
        update(
            "updates.none", "`updateAll` without matching entities changes nothing and returns 0."
        ) {
            trial in
            let before = try await trial.stock([3, 1])
            let count = try await trial.products.updateAll(where: { $0.stock > 9 }) {
                $0.name = "never"
            }
            try expect(count, is: 0)
            try await expect(trial.products.fetch(), is: before)
        },
        update("updates.all", "`updateAll` of all entities changes all of them.") { trial in
            try await trial.stock([3, 1, 2])
            let count = try await trial.products.updateAll(.all) {
                $0.stock += 10
                $0.name = "all"
            }
            try expect(count, is: 3)
            try await expect(trial.products.fetch().map(\.stock), is: [13, 11, 12])
            try await expect(trial.products.count { $0.name == "all" }, is: 3)
        },
        update(
            "updates.limit",
            "`updateAll` of a query with a limit changes only the selected entities."
        ) {
            trial in
            try await trial.stock([5, 1, 4, 2, 3])
            let query = Query<Product>.where { $0.stock > 1 }.sorted(by: \.stock, .descending)
                .limit(2).offset(1)
            try await expect(trial.products.updateAll(query) { $0.name = "hit" }, is: 2)
            try await expect(
                trial.products.fetch(.where { $0.name == "hit" }).map(\.stock), is: [4, 3])
        },
        update("updates.inOrder", "The steps of an update are executed in order.") { trial in
            try await trial.stock([3])
            try await trial.products.updateAll(.all) {
                $0.stock += 4
                $0.stock = 10
                $0.stock -= 1
            }
            try await expect(trial.products.fetch().map(\.stock), is: [9])
        },
        update("updates.each", "The change of an entity depends on its own values.") { trial in
            try await trial.stock(Array(0..<300))
            let count = try await trial.products.updateAll(where: { $0.stock >= 100 }) {
                $0.stock -= 100
            }
            try expect(count, is: 200)
            let sum = try await trial.products.fetch().map(\.stock).reduce(0, +)
            try expect(sum, is: (0..<300).reduce(0, +) - 20_000)
        },
        update("updates.stored", "The changes of `updateAll` are stored.") {
            trial in
            try await trial.stock([3, 4])
            try await trial.products.updateAll(where: { $0.stock == 3 }) { $0.stock = 40 }
            try await expect(trial.products.ids(.where { $0.stock == 40 }), is: ["p000"])
            try await expect(trial.products.read("p000").stock, is: 40)
            try await expect(trial.products.count { $0.stock == 3 }, is: 0)
        },
        update(
            "updates.persistent", "A reopened store contains the changes of `updateAll`.",
            needs: [.persistent]
        ) { trial in
            try await trial.stock([3, 4])
            try await trial.products.updateAll(.all) { $0.stock -= 2 }
            let later = try await trial.reopened()
            try await expect(later.products.fetch().map(\.stock), is: [1, 2])
        },
        update(
            "updates.index", "An index finds an entity by its changed value.",
            needs: [.finders]
        ) {
            trial in
            try await trial.notes.create(Note(id: "a", text: "", rank: 1))
            try await trial.notes.updateAll(where: { $0.rank == 1 }) { $0.rank = 2 }
            try await expect(trial.notes.findAll(rank: 1).map(\.id), is: [])
            try await expect(trial.notes.findAll(rank: 2).map(\.id), is: ["a"])
        },
        update(
            "updates.last",
            "Of 64 tasks that decrement a stock of 20, exactly 20 succeed."
        ) {
            trial in
            let (products, id) = (trial.products, Product.ID("apple"))
            try await products.create(Product(id: id, stock: 20))
            let counts = try await concurrently(64) { _ in
                try await products.updateAll(
                    where: { $0.id == id && $0.stock >= 1 }, set: { $0.stock -= 1 })
            }
            try expect(counts.filter { $0 == 1 }.count, is: 20)
            try expect(counts.filter { $0 == 0 }.count, is: 44)
            try await expect(products.read(id).stock, is: 0)
        },
        update("updates.concurrent", "No increment of concurrent tasks is lost.") { trial in
            let products = trial.products
            try await trial.stock([0, 0])
            _ = try await concurrently(32) { number in
                try await products.updateAll(where: { $0.stock >= 0 }) { $0.stock += number }
            }
            try await expect(products.fetch().map(\.stock), is: [496, 496])
        },
        StoreBehaviour(
            "updates.refused", "A store without updates throws `unsupported`.", lacks: [.updates]
        ) { trial in
            let note = Note(id: "a", text: "one")
            try await trial.notes.create(note)
            try await expectError(.unsupported) {
                try await trial.notes.updateAll(.all) { $0.text = "two" }
            }
            try await expectError(.unsupported) {
                try await trial.notes.deleteAll(where: { $0.text == "one" })
            }
            try await expectError(.unsupported) {
                try await trial.notes.replace(where: { $0.text == "one" }, with: [])
            }
            try await expect(trial.notes.read("a"), is: note)
        },
    ]

    /// A behaviour of stores with updates.
    static func update(
        _ id: String, _ sentence: String, needs: [StoreCapability] = [], fileID: String = #fileID,
        line: Int = #line, _ body: @escaping Check
    ) -> StoreBehaviour {
        StoreBehaviour(
            id, sentence, needs: [.records, .listing, .updates] + needs, fileID: fileID, line: line,
            body)
    }
}

extension StoreTrial {
    /// Stores products with these stocks and the ids `p000`, `p001` and so on, and returns them.
    @discardableResult
    func stock(_ stocks: [Int]) async throws -> [Product] {
        var products: [Product] = []
        for (number, stock) in stocks.enumerated() {
            let digits = String(number + 1000).dropFirst()
            products.append(
                try await repositories.products.create(
                    Product(id: Product.ID("p\(digits)"), stock: stock)))
        }
        return products
    }
}
