internal import Foundation
internal import RepositoryRuntime

/// A user-defined row that a projection creates.
private struct Label: Equatable {
    let id: Product.ID
    let name: String
}

extension StoreBehaviour {
    /// Projections: queries for some of the fields.
    static let projections: [StoreBehaviour] = [
        reading(
            "project.fields", "A projection returns its fields of the selected records, in order."
        ) {
            trial in
            try await trial.stock([3, 1, 2])
            let rows = try await trial.products.project(
                \.stock, \.id, from: .where { $0.stock > 1 }.sorted(by: \.stock, .descending))
            try expect(rows.map(\.0), is: [3, 2])
            try expect(rows.map(\.1), is: ["p000", "p002"])
        },
        reading("project.one", "A projection of one field returns its values.") { trial in
            try await trial.stock([3, 1, 2])
            let stocks: [Int] = try await trial.products.project(\.stock)
            try expect(stocks, is: [3, 1, 2])
        },
        reading("project.into", "A projection can create user-defined rows.") { trial in
            try await trial.products.create(Product(id: "pear", name: "Pear"))
            let labels = try await trial.products.project(\.id, \.name, into: Label.init)
            try expect(labels, is: [Label(id: "pear", name: "Pear")])
        },
        reading("project.limit", "A projection has the order, offset and limit of the query.") {
            trial in
            try await trial.stock([5, 1, 4, 2, 3])
            let query = Query<Product>.sorted(by: \.stock).limit(2).offset(1)
            let stocks: [Int] = try await trial.products.project(\.stock, from: query)
            try expect(stocks, is: [2, 3])
            let none: [Int] = try await trial.products.project(\.stock, from: .limit(0))
            try expect(none, is: [])
        },
        reading("project.optional", "Optional fields are null in records without a value.") {
            trial in
            try await trial.products.create(Product(id: "aa", weight: 1.5))
            try await trial.products.create(Product(id: "bb", rating: 2))
            let rows = try await trial.products.project(\.weight, \.rating)
            try expect(rows.map(\.0), is: [1.5, nil])
            try expect(rows.map(\.1), is: [nil, 2])
        },
        reading(
            "project.embedded", "Fields of a missing embedded value are null."
        ) {
            trial in
            try await trial.products.create(Product(id: "aa", size: Size(width: 3, unit: "cm")))
            try await trial.products.create(Product(id: "bb"))
            let rows = try await trial.products.project(\.size.width, \.size.unit, \.size)
            try expect(rows.map(\.0), is: [3, nil])
            try expect(rows.map(\.1), is: ["cm", nil])
            try expect(rows.map(\.2), is: [Size(width: 3, unit: "cm"), nil])
        },
        reading("project.types", "Fields of every type can be projected.") { trial in
            let sparse = try Samples.sparse()
            try await trial.sparses.create(sparse)
            let one = try await trial.sparses.project(
                \.bool, \.int64, \.uint32, \.float, \.double, \.decimal, \.money)[0]
            try expect(one.0 == sparse.bool && one.1 == sparse.int64, "\(one)")
            try expect(one.2 == sparse.uint32 && one.3 == sparse.float, "\(one)")
            try expect(one.4 == sparse.double && one.5 == sparse.decimal, "\(one)")
            try expect(one.6 == sparse.money, "\(one)")
            let two = try await trial.sparses.project(
                \.date, \.uuid, \.url, \.data, \.colour, \.hue, \.detail)[0]
            try expect(two.0 == sparse.date && two.1 == sparse.uuid, "\(two)")
            try expect(two.2 == sparse.url && two.3 == sparse.data, "\(two)")
            try expect(two.4 == sparse.colour && two.5 == sparse.hue, "\(two)")
            try expect(two.6 == sparse.detail, "\(two)")
            let three = try await trial.sparses.project(\.list, \.details, \.map, \.nested)[0]
            try expect(three.0 == sparse.list && three.1 == sparse.details, "\(three)")
            try expect(three.2 == sparse.map && three.3 == sparse.nested, "\(three)")
        },
        reading(
            "project.ids", "A composite id can be projected.", needs: [.references]
        ) { trial in
            try await trial.halls.create(Hall(id: "north"))
            let seat = try await trial.seats.create(Seat(hallID: "north", row: 2, letter: "b"))
            let rows = try await trial.seats.project(\.id, \.row)
            try expect(rows.map(\.0), is: [seat.id])
            try expect(rows.map(\.1), is: [2])
        },
        reading("project.bad", "A projection of an invalid query throws.") { trial in
            try await expectError(.invalidQuery) {
                try await trial.products.project(\.id, from: .limit(-1))
            }
        },
    ]

    /// A behaviour of projections and groupings, for stores with queries.
    static func reading(
        _ id: String, _ sentence: String, needs: [StoreCapability] = [], fileID: String = #fileID,
        line: Int = #line, _ body: @escaping Check
    ) -> StoreBehaviour {
        StoreBehaviour(
            id, sentence, needs: [.records, .queries] + needs, fileID: fileID, line: line, body)
    }
}
