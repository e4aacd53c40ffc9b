import RepositoryRuntime
import RepositoryTesting
import Testing

/// A write to a store of files whose every file operation is made to fail in turn.
struct StoreScenario: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let run: @Sendable (Conformance) async throws -> Void

    private init(_ name: String, _ run: @escaping @Sendable (Conformance) async throws -> Void) {
        testDescription = name
        self.run = run
    }

    /// The repositories that the scenarios use, over a store opened for no more than these.
    static func library(_ store: any EntityStore) -> Conformance {
        let schema = StoreSchema("Small", [Hall.self, Link.self, Member.self, Note.self])
        return Conformance(context: RepositoryContext(store: store, schema: schema))
    }

    private static let long = Note.ID(String(repeating: "long/", count: 60))

    /// Writes what every scenario starts from.
    static func prepare(_ library: Conformance) async throws {
        try await library.notes.createAll(
            (0..<4).map { Note(id: .init("n\($0)"), text: "old \($0)", rank: $0 % 2) }
                + [Note(id: long, text: "old long")])
        try await library.members.createAll([
            Member(id: "m0", email: "m0@x"), Member(id: "m1", email: "m1@x"),
        ])
        try await library.halls.createAll([Hall(id: "h0", title: "old"), Hall(id: "h1")])
        try await library.links.createAll([
            Link(id: "kept", keeperID: "h0"), Link(id: "friend", friendID: "h0"),
            Link(id: "other", keeperID: "h1"),
        ])
    }

    static let all: [StoreScenario] = [
        StoreScenario("create") { library in
            try await library.notes.create(Note(id: "new", text: "new", rank: 1))
        },
        StoreScenario("create unique") { library in
            try await library.members.create(Member(id: "m2", email: "m2@x"))
        },
        StoreScenario("create long") { library in
            try await library.notes.create(
                Note(id: .init(String(repeating: "é", count: 200)), text: "new"))
        },
        StoreScenario("update") { library in
            try await library.notes.update(Note(id: "n1", text: "new", rank: 0))
        },
        StoreScenario("save") { library in
            try await library.members.save(Member(id: "m1", email: "new@x"))
        },
        StoreScenario("delete") { library in
            // Repeated after a failure it finds nothing to delete only if it had happened.
            try await library.notes.delete("n1")
        },
        StoreScenario("delete long") { library in try await library.notes.delete(long) },
        StoreScenario("batch") { library in
            try await library.notes.saveAll(
                (2..<8).map { Note(id: .init("n\($0)"), text: "new", rank: 1) })
        },
        StoreScenario("delete batch") { library in
            _ = try await library.notes.deleteAll(ids: ["n0", "n2", long])
        },
        StoreScenario("cascade") { library in try await library.halls.delete("h0") },
        StoreScenario("transaction") { library in
            try await library.transaction { library in
                try await library.halls.create(Hall(id: "new"))
                try await library.links.create(Link(id: "new", keeperID: "new"))
                try await library.notes.delete("n0")
                try await library.members.update(Member(id: "m0", email: "new@x"))
            }
        },
        StoreScenario("update all") { library in
            try await library.open()
            _ = try await library.context.store.updateAll(
                .where { $0.rank == 1 },
                { (note: Note) in Note(id: note.id, text: "new", rank: 0) })
        },
    ]
}

/// All records of a store, and what its finders find.
struct StoreSnapshot: Equatable {
    var notes: [Note]
    var members: [Member]
    var halls: [Hall]
    var links: [Link]
    var found: [[Note.ID]]
    var emails: [Member.ID?]

    init(_ library: Conformance) async throws {
        notes = try await library.notes.fetch()
        members = try await library.members.fetch()
        halls = try await library.halls.fetch()
        links = try await library.links.fetch()
        found = []
        for rank in 0...1 {
            try await found.append(library.notes.findAll(rank: rank).map(\.id).sorted())
        }
        emails = []
        for email in ["m0@x", "m1@x", "m2@x", "new@x"] {
            try await emails.append(library.members.find(email: email)?.id)
        }
    }

    /// Whether the finders find what the lists hold.
    var indexesAgree: Bool {
        (0...1).allSatisfy { rank in
            found[rank] == notes.filter { $0.rank == rank }.map(\.id).sorted()
        }
            && emails
                == ["m0@x", "m1@x", "m2@x", "new@x"].map { email in
                    members.first { $0.email == email }?.id
                }
    }
}
