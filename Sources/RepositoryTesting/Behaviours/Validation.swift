internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Validation rules of fields, which are checked in every write.
    static let validation: [StoreBehaviour] = [
        StoreBehaviour("validation.accepts", "Values at the limits of all rules are stored.") {
            trial in
            let product = Product(
                id: "12345678", name: "1234567890", stock: 1000, weight: 99.5, price: 0,
                rating: -0.5, codes: ["a", "b", "c"], picture: Data([1, 2, 3, 4]), sku: "AB-1",
                pin: "1234", size: Size(width: 1, unit: "mm"))
            try await expect(trial.products.create(product), is: product)
            try await expect(trial.products.read("12345678"), is: product)
            let least = Product(id: "ab", name: "x", stock: 0, weight: 0, picture: Data([0]))
            try await expect(trial.products.create(least), is: least)
        },
        rule("validation.minimum", "A number below its minimum is invalid.", "stock") {
            Product(id: "id", stock: -1)
        },
        rule("validation.maximum", "A number above its maximum is invalid.", "stock") {
            Product(id: "id", stock: 1001)
        },
        rule("validation.double", "A floating-point number above its maximum is invalid.", "weight")
        {
            Product(id: "id", weight: 99.500001)
        },
        rule("validation.decimal", "A decimal below its minimum is invalid.", "price") {
            Product(id: "id", price: Decimal(string: "-0.01") ?? -1)
        },
        rule("validation.minLength", "A string that is too short is invalid.", "name") {
            Product(id: "id", name: "")
        },
        rule("validation.maxLength", "A string that is too long is invalid.", "name") {
            Product(id: "id", name: "12345678901")
        },
        rule("validation.list", "A list that is too long is invalid.", "codes") {
            Product(id: "id", codes: ["a", "b", "c", "d"])
        },
        rule("validation.data", "Data that is too long is invalid.", "picture") {
            Product(id: "id", picture: Data(count: 5))
        },
        rule("validation.emptyData", "Data that is too short is invalid.", "picture") {
            Product(id: "id", picture: Data())
        },
        rule("validation.pattern", "A string that does not match its pattern is invalid.", "sku") {
            Product(id: "id", sku: "AB-1x")
        },
        rule("validation.wholePattern", "A pattern has to match the whole string.", "sku") {
            Product(id: "id", sku: " AB-1")
        },
        rule(
            "validation.nested", "The error of a rule inside an embedded value contains the path.",
            "size.width"
        ) {
            Product(id: "id", size: Size(width: 0))
        },
        rule(
            "validation.nestedLength",
            "The error of a length inside an embedded value contains the path.", "size.unit"
        ) {
            Product(id: "id", size: Size(width: 1, unit: "inch"))
        },
        StoreBehaviour("validation.id", "Rules apply to the id, too.") { trial in
            try await expectError(.invalidItem, table: "products", field: "id") {
                try await trial.products.create(Product(id: "x"))
            }
            try await expectError(.invalidItem, field: "id") {
                try await trial.products.create(Product(id: "123456789"))
            }
        },
        StoreBehaviour(
            "validation.scalars", "The length of a string is its number of Unicode scalars."
        ) { trial in
            let five = "e\u{301}e\u{301}\u{1F600}"
            let ten = Product(id: "ten", name: five + five)
            try await expect(trial.products.create(ten), is: ten)
            try await expectError(.invalidItem, field: "name") {
                try await trial.products.create(Product(id: "more", name: five + five + "x"))
            }
        },
        StoreBehaviour("validation.null", "Null satisfies every rule.") { trial in
            let product = Product(id: "id")
            try await expect(trial.products.create(product), is: product)
            try await expect(trial.products.read("id"), is: product)
        },
        StoreBehaviour(
            "validation.secret", "An error about a sensitive field does not contain its value."
        ) {
            trial in
            let error = try await expectError(.invalidItem, field: "pin") {
                try await trial.products.create(Product(id: "id", pin: "q9z"))
            }
            try expect(!String(reflecting: error).contains("q9z"), "The error contains the value.")
            try expect(
                !error.localizedDescription.contains("q9z"), "The sentence contains the value.")
        },
        StoreBehaviour("validation.notFinite", "NaN and infinity throw an error with the field.") {
            trial in
            for value in [Double.nan, .infinity, -.infinity] {
                try await expectError(.invalidItem, id: "a", field: "double") {
                    try await trial.sparses.create(Sparse(id: "a", double: value))
                }
                try await expectError(.invalidItem, field: "float") {
                    try await trial.sparses.create(Sparse(id: "a", float: Float(value)))
                }
                try await expectError(.invalidItem) {
                    try await trial.sparses.create(Sparse(id: "a", map: ["k": value]))
                }
            }
            try await expect(trial.sparses.exists("a"), is: false)
        },
        StoreBehaviour(
            "validation.nulCharacter", "A string with U+0000 throws an error with the field."
        ) {
            trial in
            try await expectError(.invalidItem, id: "a", field: "text") {
                try await trial.notes.create(Note(id: "a", text: "x\u{0}y"))
            }
            let detail = Detail(text: "x\u{0}y", inner: Inner())
            try await expectError(.invalidItem) {
                try await trial.sparses.create(Sparse(id: "a", detail: detail))
            }
        },
        StoreBehaviour("validation.notANumber", "A decimal that is not a number is invalid.") {
            trial in
            try await expectError(.invalidItem, field: "price") {
                try await trial.products.create(Product(id: "id", price: .nan))
            }
            try await expectError(.invalidItem, field: "decimal") {
                try await trial.sparses.create(Sparse(id: "a", decimal: .nan))
            }
        },
        StoreBehaviour(
            "validation.tooLarge", "A decimal with a scale that exceeds 64 bits is invalid."
        ) {
            trial in
            try await expectError(.invalidItem, field: "price") {
                try await trial.products.create(
                    Product(id: "id", price: Decimal(sign: .plus, exponent: 18, significand: 1)))
            }
        },
    ]

    /// The behaviour that create, update and save reject a product that violates one rule.
    private static func rule(
        _ id: String, _ sentence: String, _ field: String, fileID: String = #fileID,
        line: Int = #line, _ bad: @escaping @Sendable () -> Product
    ) -> StoreBehaviour {
        StoreBehaviour(id, sentence, fileID: fileID, line: line) { trial in
            func refused(_ call: (Product) async throws -> Product) async throws {
                try await expectError(
                    .invalidItem, id: "id", table: "products", field: field, fileID: fileID,
                    line: line
                ) {
                    try await call(bad())
                }
            }
            try await refused { try await trial.products.create($0) }
            try await refused { try await trial.products.save($0) }
            try await expect(trial.products.exists("id"), is: false)
            let good = Product(id: "id", name: "good")
            try await trial.products.create(good)
            try await refused { try await trial.products.update($0) }
            try await refused { try await trial.products.save($0) }
            try await expect(trial.products.read("id"), is: good)
        }
    }
}
