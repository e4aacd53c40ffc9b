internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Unions, user-defined scalars, and fields of mixins.
    static let kinds: [StoreBehaviour] = [
        StoreBehaviour("kinds.union", "Every case of a union is stored and read unchanged.") {
            trial in
            for (number, message) in messages.enumerated() {
                let card = Postcard(id: .init("p\(number)"), message: message, changedAt: moment)
                try await expect(trial.postcards.create(card).message, is: message)
                try await expect(trial.postcards.read(card.id).message, is: message)
            }
            for message in messages.reversed() {
                try await trial.postcards.save(Postcard(id: "p0", message: message))
                try await expect(trial.postcards.read("p0").message, is: message)
            }
        },
        StoreBehaviour("kinds.unionInside", "Optionals, lists and maps may contain unions.") {
            trial in
            let names = messages.indices.map { "m\($0)" }
            let card = Postcard(
                id: "a", message: .blank, reply: messages[1], messages: messages,
                named: Dictionary(uniqueKeysWithValues: zip(names, messages)), changedAt: moment)
            try await expect(trial.postcards.create(card), is: card)
            try await expect(trial.postcards.read("a"), is: card)
        },
        StoreBehaviour("kinds.unionRules", "The error of a rule inside a case contains the path.") {
            trial in
            let long = Message.text(text: "More than twelve")
            try await expectError(.invalidItem, field: "message.text.text") {
                try await trial.postcards.create(Postcard(id: "a", message: long))
            }
            try await expectError(.invalidItem, field: "reply.text.text") {
                try await trial.postcards.create(Postcard(id: "a", message: .blank, reply: long))
            }
        },
        StoreBehaviour("kinds.unionRounding", "A decimal inside a case is rounded to its scale.") {
            trial in
            let exact = Decimal(sign: .plus, exponent: -3, significand: 2_675)
            let stored = Decimal(sign: .plus, exponent: -2, significand: 268)
            let card = Postcard(id: "a", message: .price(amount: exact))
            try await expect(
                trial.postcards.create(card).message, is: .price(amount: stored))
            try await expect(trial.postcards.read("a").message, is: .price(amount: stored))
        },
        query("unions", "Unions are compared as a whole and with null.") { trial in
            for (number, message) in messages.enumerated() {
                try await trial.postcards.create(
                    Postcard(
                        id: .init("p\(number)"), message: message,
                        reply: number.isMultiple(of: 2) ? message : nil))
            }
            try await expect(
                trial.postcards.ids(.where { $0.reply == nil }),
                is: ["p1", "p3", "p5"])
            try await expect(
                trial.postcards.ids(
                    .where { $0.message == .text(text: "caf\u{E9}") }),
                is: ["p0"])
            try await expect(
                trial.postcards.ids(.where { $0.message == .blank }),
                is: ["p4"])
        },
        StoreBehaviour("kinds.scalar", "A user-defined scalar is stored and read unchanged.") {
            trial in
            for cents in [0, 1, -1, .min, .max] {
                let postage = Postage(storedForm: cents)
                let card = Postcard(
                    id: "a", message: .blank, postage: postage, stamps: [postage, postage],
                    changedAt: moment)
                try await trial.postcards.save(card)
                let stored = try await trial.postcards.read("a")
                try expect(stored.postage, is: postage)
                try expect(stored.stamps, is: [postage, postage])
            }
        },
        query("scalars", "A user-defined scalar is compared by its stored value.") { trial in
            for cents in [5, 80, nil, 20] {
                let postage = cents.map { Postage(storedForm: $0) }
                try await trial.postcards.create(
                    Postcard(id: .init("p\(cents ?? 0)"), message: .blank, postage: postage))
            }
            let twenty = Postage(storedForm: 20)
            try await expect(
                trial.postcards.ids(.where { $0.postage >= twenty }.sorted(by: \.postage)),
                is: ["p20", "p80"])
            try await expect(trial.postcards.ids(.where { $0.postage == twenty }), is: ["p20"])
            try await expect(trial.postcards.findAll(postage: twenty).map(\.id), is: ["p20"])
        },
        StoreBehaviour(
            "kinds.mixin", "The fields and indexes of a mixin belong to the entity.",
            needs: [.records, .listing, .finders]
        ) { trial in
            for (id, route) in [("a", "north"), ("b", "south"), ("c", "north")] {
                try await trial.postcards.create(
                    Postcard(id: .init(id), message: .blank, route: route, changedAt: moment))
            }
            try await expect(
                trial.postcards.findAll(route: "north").map(\.id), is: ["a", "c"])
            let changed = try await trial.postcards.update(
                Postcard(id: "a", message: .blank, route: "west", changedAt: moment))
            try expect(changed.changedAt > moment, "The timestamp of the update was not set.")
        },
    ]

    private static let moment = Date(timeIntervalSince1970: 951_782_400)

    private static let messages: [Message] = [
        .text(text: "caf\u{E9}"), .text(text: ""),
        .picture(file: Samples.urls[2], caption: nil, takenAt: moment),
        .picture(file: Samples.urls[0], caption: "\"x\""), .blank,
        .price(amount: Decimal(sign: .minus, exponent: -2, significand: 1)),
    ]
}
