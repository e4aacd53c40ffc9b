internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Errors of `updateAll`, which changes nothing if it throws.
    static let refusedUpdates: [StoreBehaviour] = [
        update("updates.invalid", "`updateAll` changes nothing if one entity becomes invalid.") {
            trial in
            let before = try await trial.stock([3, 1000, 5])
            try await expectError(.invalidItem, id: "p001", table: "products", field: "stock") {
                try await trial.products.updateAll(.all) { $0.stock += 1 }
            }
            try await expect(trial.products.fetch(), is: before)
        },
        update("updates.invalidValue", "Setting an invalid value throws.") { trial in
            let before = try await trial.stock([3])
            try await expectError(.invalidItem, field: "name") {
                try await trial.products.updateAll(.all) { $0.name = "" }
            }
            try await expectError(.invalidItem, field: "name") {
                try await trial.products.updateAll(.all) { $0.name = "a\0b" }
            }
            try await expectError(.invalidItem, field: "weight") {
                try await trial.products.updateAll(.all) { $0.weight = .infinity }
            }
            try await expect(trial.products.fetch(), is: before)
        },
        update("updates.invalidEmbedded", "A rule of an embedded field is enforced.") { trial in
            let product = Product(id: "with", size: Size(width: 3))
            try await trial.products.create(product)
            try await expectError(.invalidItem, field: "size.width") {
                try await trial.products.updateAll(.all) { $0.size.width -= 3 }
            }
            try await expect(trial.products.read("with"), is: product)
        },
        update(
            "updates.overflow", "An integer overflow throws `numberOverflow` and changes nothing."
        ) {
            trial in
            let before = [
                Sparse(id: "a", int: 0, int8: 0, uint32: 5),
                Sparse(id: "b", int: .max, int8: .min, uint32: 0),
            ]
            for sparse in before { try await trial.sparses.create(sparse) }
            try await expectError(.numberOverflow, id: "b", table: "sparses", field: "int") {
                try await trial.sparses.updateAll(.all) { $0.int += 1 }
            }
            try await expectError(.numberOverflow, field: "int8") {
                try await trial.sparses.updateAll(.all) { $0.int8 -= 1 }
            }
            try await expectError(.numberOverflow, field: "uint32") {
                try await trial.sparses.updateAll(.all) { $0.uint32 -= 1 }
            }
            try await expectError(.numberOverflow, field: "int") {
                try await trial.sparses.updateAll(.all) { $0.int -= .min }
            }
            try await expect(trial.sparses.fetch(), is: before)
        },
        update(
            "updates.largeNumbers", "An overflow of a floating-point number or decimal throws, too."
        ) {
            trial in
            let sparse = Sparse(
                id: "a", float: .greatestFiniteMagnitude, double: .greatestFiniteMagnitude,
                money: Samples.money[7])
            try await trial.sparses.create(sparse)
            try await expectError(.numberOverflow, field: "float") {
                try await trial.sparses.updateAll(.all) { $0.float += 1e38 }
            }
            try await expectError(.numberOverflow, field: "double") {
                try await trial.sparses.updateAll(.all) { $0.double += 1e308 }
            }
            try await expectError(.numberOverflow, field: "money") {
                try await trial.sparses.updateAll(.all) { $0.money += 0.01 }
            }
            try await expect(trial.sparses.read("a"), is: sparse)
        },
        update(
            "updates.embeddedOverflow",
            "The error of an overflow in an embedded value contains its path."
        ) {
            trial in
            let sparse = Sparse(id: "a", detail: Samples.details[2])
            try await trial.sparses.create(sparse)
            try await expectError(.numberOverflow, field: "detail.count") {
                try await trial.sparses.updateAll(.all) { $0.detail.count += 1 }
            }
            try await expect(trial.sparses.read("a"), is: sparse)
        },
        update(
            "updates.unique", "`updateAll` changes nothing if two entities would conflict.",
            needs: [.uniqueIndexes]
        ) {
            trial in
            let before = [
                Member(id: "a", email: "a@example.org", badge: 1),
                Member(id: "b", email: "b@example.org", badge: 2),
            ]
            for member in before { try await trial.members.create(member) }
            try await expectError(.constraintViolated, table: "members", field: "badge") {
                try await trial.members.updateAll(.all) { $0.badge = 3 }
            }
            try await expect(trial.members.fetch(), is: before)
        },
        update(
            "updates.invalidFirst",
            "`updateAll` throws `invalidItem` if one entity becomes invalid and others conflict.",
            needs: [.uniqueIndexes]
        ) { trial in
            let before = [
                Offer(id: "a", low: 1), Offer(id: "b", low: 1), Offer(id: "c", low: 0),
            ]
            for offer in before { try await trial.offers.create(offer) }
            try await expectError(.invalidItem, id: "c", table: "offers") {
                try await trial.offers.updateAll(.all) { $0.label = "one" }
            }
            try await expectError(.invalidItem, id: "c", table: "offers") {
                try await trial.offers.updateAll(.all.limit(3)) { $0.label = "one" }
            }
            try await expect(trial.offers.fetch(), is: before)
        },
        update("updates.version", "The version cannot be set.", needs: [.versions]) { trial in
            let ticket = try await trial.tickets.create(Ticket(title: "one"))
            try await expectError(.invalidQuery, table: "tickets") {
                try await trial.tickets.updateAll(.all) { $0.revision = 9 }
            }
            try await expectError(.invalidQuery) {
                try await trial.tickets.updateAll(.all) { $0.revision += 1 }
            }
            try await expect(trial.tickets.read(ticket.id), is: ticket)
        },
        update("updates.key", "A component of an id cannot be set.", needs: [.references]) {
            trial in
            try await trial.halls.create(Hall(id: "north"))
            let seat = try await trial.seats.create(Seat(hallID: "north", row: 1, letter: "a"))
            try await expectError(.invalidQuery, table: "seats") {
                try await trial.seats.updateAll(.all) { $0.row += 1 }
            }
            try await trial.seats.updateAll(.all) { $0.price = 4 }
            try await expect(trial.seats.read(seat.id).price, is: 4)
        },
        update("updates.otherField", "A field cannot be set to the value of another field.") {
            trial in
            let before = Sparse(id: "a", int: 1, int64: 2)
            try await trial.sparses.create(before)
            try await expectError(.invalidQuery, table: "sparses") {
                try await trial.sparses.updateAll(.all) { $0.int = $0.int64 }
            }
            try await expect(trial.sparses.read("a"), is: before)
        },
        update("updates.badQuery", "An invalid query changes nothing.") { trial in
            let before = try await trial.stock([3])
            try await expectError(.invalidQuery) {
                try await trial.products.updateAll(Query<Product>.all.limit(-1)) { $0.stock = 0 }
            }
            try await expect(trial.products.updateAll(.limit(0)) { $0.stock = 0 }, is: 0)
            try await expect(trial.products.fetch(), is: before)
        },
    ]
}
