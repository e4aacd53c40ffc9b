public import Foundation
public import RepositoryRuntime

/// One time that a client took a book home.
nonisolated public struct Loan: Entity {
    /// The mapper between a loan and its fields.
    public typealias Mapper = LoanMapper

    /// The id of a loan.
    public struct ID: CompositeEntityID {
        /// The mapper between the id and its components.
        public typealias Mapper = LoanIDMapper

        public let bookID: Book.ID
        public let number: Int

        /// Makes the id of a loan.
        public init(
            bookID: Book.ID,
            number: Int
        ) {
            self.bookID = bookID
            self.number = number
        }

        public init?(componentTexts texts: [String]) {
            guard texts.count == 2 else { return nil }
            guard let bookID = Book.ID(identifierText: texts[0]) else { return nil }
            guard let number = Int(identifierText: texts[1]) else { return nil }
            self.init(
                bookID: bookID,
                number: number
            )
        }

        public var componentTexts: [String] {
            [
                bookID.identifierText,
                number.identifierText,
            ]
        }

        public static func == (left: Self, right: Self) -> Bool {
            guard Book.ID.isSameIdentifier(left.bookID, right.bookID) else { return false }
            return Int.isSameIdentifier(left.number, right.number)
        }

        public func hash(into hasher: inout Hasher) {
            bookID.hashIdentifier(into: &hasher)
            number.hashIdentifier(into: &hasher)
        }

        public static func < (left: Self, right: Self) -> Bool {
            if Book.ID.identifierPrecedes(left.bookID, right.bookID) { return true }
            if Book.ID.identifierPrecedes(right.bookID, left.bookID) { return false }
            return Int.identifierPrecedes(left.number, right.number)
        }
    }

    public let bookID: Book.ID
    /// The how-manieth loan of the book this is.
    public let number: Int
    public var clientID: Client.ID
    public var takenAt: Foundation.Date
    public var returnedAt: Foundation.Date?

    /// The id of the loan, made of `bookID` and `number`.
    public var id: ID {
        ID(
            bookID: bookID,
            number: number
        )
    }

    /// Makes a loan that is not stored yet.
    public init(
        bookID: Book.ID,
        number: Int,
        clientID: Client.ID,
        takenAt: Foundation.Date = EntityDefaults.now(),
        returnedAt: Foundation.Date? = nil
    ) {
        self.bookID = bookID
        self.number = number
        self.clientID = clientID
        self.takenAt = takenAt
        self.returnedAt = returnedAt
    }

    public static func == (left: Loan, right: Loan) -> Bool {
        guard left.bookID == right.bookID else { return false }
        guard left.number == right.number else { return false }
        guard left.clientID == right.clientID else { return false }
        guard left.takenAt == right.takenAt else { return false }
        return left.returnedAt == right.returnedAt
    }
}

/// The mapping between the id of a ``Loan`` and its components.
nonisolated public enum LoanIDMapper: RecordMapper {
    public static let layout = FieldLayout(
        "Loan.ID",
        [
            FieldDescription("bookID", .text),
            FieldDescription("number", .int64),
        ])

    public static func encode<E: FieldEncoder>(_ id: Loan.ID, to fields: inout E) throws {
        try fields.encode(id.bookID, at: 0)
        try fields.encode(id.number, at: 1)
    }

    public static func decode<D: FieldDecoder>(from fields: inout D) throws -> Loan.ID {
        let bookID = try fields.decode(Book.ID.self, at: 0)
        let number = try fields.decode(Int.self, at: 1)
        return Loan.ID(
            bookID: bookID,
            number: number
        )
    }
}

/// The mapping between a ``Loan`` and its fields, one for every store and format.
nonisolated public enum LoanMapper: EntityMapper {
    public static let table: EntityTable = {
        var table = EntityTable("loans", entity: "Loan")
        table.field(
            "bookID", .text, column: "book_id", reference: TableReference("books", onDelete: .cascade), key: true)
        table.field("number", .int64, rules: FieldRules(minimum: .integer(1)), key: true)
        table.field("clientID", .text, column: "client_id", reference: TableReference("clients"))
        table.field("takenAt", .date, column: "taken_at")
        table.field("returnedAt", .date, column: "returned_at", optional: true)
        table.index("loans_client", ["clientID"])
        return table
    }()

    public static func encode<E: FieldEncoder>(_ loan: Loan, to fields: inout E) throws {
        try fields.encode(loan.bookID, at: 0)
        try fields.encode(loan.number, at: 1)
        try fields.encode(loan.clientID, at: 2)
        try fields.encode(loan.takenAt, at: 3)
        try fields.encode(loan.returnedAt, at: 4)
    }

    public static func decode<D: FieldDecoder>(from fields: inout D) throws -> Loan {
        let bookID = try fields.decode(Book.ID.self, at: 0)
        let number = try fields.decode(Int.self, at: 1)
        let clientID = try fields.decode(Client.ID.self, at: 2)
        let takenAt = try fields.decode(Foundation.Date.self, at: 3)
        let returnedAt = try fields.decode(Foundation.Date?.self, at: 4)
        return Loan(
            bookID: bookID,
            number: number,
            clientID: clientID,
            takenAt: takenAt,
            returnedAt: returnedAt
        )
    }

    public static func prepare(_ loan: inout Loan, for write: WriteContext) throws {
        try write.check(loan.number, "number", minimum: 1)
        loan.takenAt = try write.prepared(loan.takenAt, "takenAt")
        loan.returnedAt = try write.prepared(loan.returnedAt, "returnedAt")
    }
}

/// The loans, wherever they are stored.
nonisolated public struct LoanRepository: EntityRepository {
    public typealias Model = Loan
    public let context: RepositoryContext

    public init(_ context: RepositoryContext) {
        self.context = context
    }
}

extension LoanRepository {
    /// The loans of this `clientID`, in id order.
    nonisolated(nonsending) public func findAll(clientID: Client.ID) async throws -> [Loan] {
        try await find(index: 0, [StoredValue(encoding: clientID)])
    }
}
