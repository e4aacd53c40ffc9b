internal import Foundation
internal import RepositoryRuntime

/// The parts of a violation that the behaviours compare.
private struct Broken: Equatable, CustomStringConvertible {
    let index: Int?
    let id: String?
    let field: String?
    let rule: String
    let constraint: String?

    init(
        _ rule: String, _ field: String?, of id: String?, at index: Int? = 0,
        constraint: String? = nil
    ) {
        self.index = index
        self.id = id
        self.field = field
        self.rule = rule
        self.constraint = constraint
    }

    init(_ violation: CRUDRepositoryError.Violation) {
        index = violation.index
        id = violation.id
        field = violation.field
        rule = violation.rule.rawValue
        constraint = violation.constraint
    }

    var description: String {
        let place = index.map { "\($0)" } ?? "-"
        return "\(place) \(id ?? "-") \(field ?? "-") \(rule) \(constraint ?? "-")"
    }
}

extension StoreBehaviour {
    /// Errors with all broken rules of a call.
    static let violations: [StoreBehaviour] = [
        StoreBehaviour(
            "violations.item", "The error of an item lists all rules that the item breaks."
        ) { trial in
            let product = Product(
                id: "x", name: "", stock: -1, codes: ["a\u{0}", "b\u{0}"], sku: "1", pin: "1",
                size: Size(width: 0, unit: "inch"))
            let broken = [
                Broken("minLength", "id", of: "x"), Broken("minLength", "name", of: "x"),
                Broken("minimum", "stock", of: "x"), Broken("pattern", "sku", of: "x"),
                Broken("minLength", "pin", of: "x"), Broken("minimum", "size.width", of: "x"),
                Broken("maxLength", "size.unit", of: "x"), Broken("storable", "codes.0", of: "x"),
                Broken("storable", "codes.1", of: "x"),
            ]
            let error = try await expectError(.invalidItem, id: "x", field: "id") {
                try await trial.products.create(product)
            }
            try expect(error.violations.map(Broken.init), is: broken)
            try expect(error.message.contains("'size.unit'"), is: true)
            try await expectViolations(broken) { try await trial.products.update(product) }
            try await expectViolations(broken) { try await trial.products.save(product) }
        },
        StoreBehaviour(
            "violations.checks", "The error of an item lists the checks that the item violates."
        ) { trial in
            let offer = Offer(id: "a", label: "x", stage: .published, price: 0, tags: ["b"])
            try await expectViolations([
                Broken("check", nil, of: "a", constraint: "labelled"),
                Broken("check", nil, of: "a", constraint: "priced"),
                Broken("check", nil, of: "a", constraint: "tagged"),
                Broken("check", nil, of: "a", constraint: "named"),
            ]) { try await trial.offers.create(offer) }
        },
        StoreBehaviour(
            "violations.batch",
            "The error of a batch lists the broken rules of all items, with their positions.",
            needs: [.records, .batches, .updates, .conflictPolicies, .transactions]
        ) { trial in
            var items = (0..<2_100).map { Product(id: .init("p\($0)")) }
            items[1] = Product(id: "p1", name: "", stock: -1)
            items[1_700] = Product(id: "p1700", stock: 1_001)
            items[2_099] = Product(id: "", name: "")
            let broken = [
                Broken("minLength", "name", of: "p1", at: 1),
                Broken("minimum", "stock", of: "p1", at: 1),
                Broken("maximum", "stock", of: "p1700", at: 1_700),
                Broken("id", "id", of: "", at: 2_099),
                Broken("minLength", "id", of: "", at: 2_099),
                Broken("minLength", "name", of: "", at: 2_099),
            ]
            let products = trial.products
            let given = items
            try await expectViolations(broken) { try await products.createAll(given) }
            try await expectViolations(broken) { try await products.saveAll(given) }
            try await expectViolations(broken) {
                try await products.saveAll(given, conflict: .replace)
            }
            try await expectViolations(broken) {
                try await products.replace(where: { $0.stock >= 0 }, with: given)
            }
            try await expect(products.count(), is: 0)
        },
        StoreBehaviour(
            "violations.id",
            "An item whose id cannot be used throws `invalidIdentifier` with its other violations."
        ) { trial in
            let error = try await expectError(.invalidIdentifier) {
                try await trial.offers.create(Offer(id: "", label: "x", stage: .draft))
            }
            try expect(
                error.violations.map(Broken.init),
                is: [
                    Broken("id", "id", of: ""),
                    Broken("check", nil, of: "", constraint: "labelled"),
                ])
        },
        StoreBehaviour(
            "violations.updates",
            "The error of `updateAll` lists all rules that the first invalid entity breaks.",
            needs: [.records, .updates]
        ) { trial in
            try await trial.products.create(Product(id: "p1", stock: 1))
            try await expectViolations([
                Broken("minLength", "name", of: "p1", at: nil),
                Broken("minimum", "stock", of: "p1", at: nil),
            ]) {
                try await trial.products.updateAll(where: { $0.stock == 1 }) {
                    $0.name = ""
                    $0.stock -= 2
                }
            }
            try await expect(trial.products.read("p1").stock, is: 1)
        },
        StoreBehaviour(
            "violations.single", "The errors of unique values and references list no rules.",
            needs: [.records, .uniqueIndexes]
        ) { trial in
            try await trial.offers.create(Offer(id: "a", low: 1, label: "caf"))
            let error = try await expectError(.constraintViolated) {
                try await trial.offers.create(Offer(id: "b", low: 1, label: "caf"))
            }
            try expect(error.violations.isEmpty, is: true)
        },
    ]
}

/// Expects that a call throws the given violations, the first of which the error describes.
private func expectViolations<R>(
    _ broken: [Broken], fileID: String = #fileID, line: Int = #line,
    _ call: () async throws -> R
) async throws {
    let error = try await expectError(
        .invalidItem, id: broken.first?.id, field: broken.first?.field, fileID: fileID, line: line,
        call)
    try expect(error.violations.map(Broken.init), is: broken, fileID: fileID, line: line)
    try expect(error.constraint, is: broken.first?.constraint, fileID: fileID, line: line)
}
