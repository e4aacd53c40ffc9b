internal import Foundation
internal import RepositoryRuntime

extension RandomTable {
    private static let letters = ["a", "b", "A", "caf\u{E9}", "cafe\u{301}", "a/b"]
    private static let halls: [Hall.ID] = ["a", "A", "b", "c"]

    /// Plain records.
    static let notes = RandomTable(
        { $0.notes }, id: { .init($0.one(of: letters)) },
        find: [{ (0, .integer(.random(in: 0...2, using: &$0))) }],
        changes: [.set(\.text, \.text), .set(\.rank, \.rank), .increment(\.rank)],
        make: { id, random in
            Note(
                id: id, text: random.one(of: ["", "x", "it's", "é"]),
                rank: .random(in: 0...2, using: &random))
        })

    /// Every table: unique fields, checks, versions, references of all rules, composite ids.
    static let all: [RandomTable] = [
        notes, members, tickets, articles, offers, hallRecords, links, stalls, folders, replies,
        seats, claims, bookings,
    ]

    /// Tables without references, whose records depend on nothing but themselves.
    static let plain: [RandomTable] = [notes, members, tickets, articles, offers]

    private static let members = RandomTable(
        { $0.members }, id: { .init($0.one(of: letters)) },
        find: [
            { (0, .text($0.one(of: letters))) }, { (1, .integer(.random(in: 0...3, using: &$0))) },
            { (2, $0.once(in: 3) ? .null : .text("t")) },
        ],
        changes: [
            .set(\.email, \.email), .set(\.badge, \.badge), .set(\.team, \.team),
            .set(\.place, \.place),
        ],
        make: { id, random in
            Member(
                id: id, email: random.one(of: letters),
                badge: random.once(in: 2) ? nil : .random(in: 0...3, using: &random),
                team: random.once(in: 2) ? nil : "t",
                place: random.once(in: 2) ? nil : .random(in: 0...1, using: &random))
        })

    private static let tickets = RandomTable(
        { $0.tickets },
        id: { random in
            let last = UInt8.random(in: 0...3, using: &random) &* 85
            return .init(UUID(uuid: (last, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, last)))
        },
        changes: [.set(\.title, \.title), .set(\.openedAt, \.openedAt)],
        make: { id, random in
            let moment = Date(timeIntervalSince1970: .init(Int.random(in: -9...9, using: &random)))
            return Ticket(
                id: id, title: random.one(of: letters), openedAt: moment, touchedAt: moment,
                resolvedAt: random.once(in: 2) ? nil : moment,
                revision: .random(in: 1...3, using: &random))
        })

    private static let articles = RandomTable(
        { $0.articles }, id: { .init(Int.random(in: -2...9, using: &$0)) },
        find: [
            { (0, $0.once(in: 4) ? .null : .text($0.one(of: letters))) },
            { (1, .text($0.one(of: ["draft", "in_review"]))) },
            { (2, .text($0.one(of: ["s", "t"]))) },
            { (3, $0.once(in: 2) ? .null : .date(TrialClock.start)) },
        ],
        changes: [
            .set(\.section, \.section), .set(\.title, \.title), .set(\.stage, \.stage),
            .set(\.rank, \.rank), .increment(\.rank), .set(\.publishedAt, \.publishedAt),
        ],
        make: { id, random in
            Article(
                number: id, section: random.one(of: ["s", "t"]),
                title: random.once(in: 4) ? nil : random.one(of: letters),
                stage: random.one(of: [.draft, .inReview]),
                rank: .random(in: -1...1, using: &random),
                publishedAt: random.once(in: 2) ? nil : TrialClock.start)
        })

    /// About half of what is made keeps every check.
    private static let offers = RandomTable(
        { $0.offers }, id: { .init($0.one(of: letters)) },
        find: [
            { (0, $0.once(in: 4) ? .null : .text($0.one(of: letters))) },
            { (1, .text($0.one(of: ["draft", "published"]))) },
        ],
        changes: [
            .set(\.low, \.low), .increment(\.low), .set(\.high, \.high), .set(\.label, \.label),
            .set(\.stage, \.stage), .set(\.price, \.price), .set(\.tags, \.tags),
        ],
        make: { id, random in
            Offer(
                id: id, low: .random(in: -1...2, using: &random),
                high: random.once(in: 3) ? nil : .random(in: 0...2, using: &random),
                label: random.once(in: 2) ? nil : random.one(of: letters),
                stage: random.one(of: [.draft, .inReview, .published]),
                price: Decimal(Int.random(in: 0...4, using: &random)) / 4,
                tags: random.once(in: 2) ? [] : [random.one(of: letters)])
        })

    private static let hallRecords = RandomTable(
        { $0.halls }, id: { $0.one(of: halls) },
        changes: [.set(\.title, \.title)],
        make: { id, random in Hall(id: id, title: random.one(of: letters)) })

    /// Each link is made with one reference at most; changes and merges give it others.
    private static let links = RandomTable(
        { $0.links }, id: { .init($0.one(of: letters)) },
        changes: [
            .set(\.anchorID, \.anchorID), .set(\.friendID, \.friendID),
            .set(\.rumourID, \.rumourID),
        ],
        make: { id, random in
            let hall = random.one(of: halls)
            return switch Int.random(in: 0..<5, using: &random) {
            case 0: Link(id: id, anchorID: hall)
            case 1: Link(id: id, keeperID: hall)
            case 2: Link(id: id, friendID: hall)
            case 3: Link(id: id, rumourID: hall)
            default: Link(id: id)
            }
        })

    private static let stalls = RandomTable(
        { $0.stalls }, id: { .init($0.one(of: letters)) },
        changes: [.set(\.hallID, \.hallID), .set(\.size, \.size), .increment(\.size)],
        make: { id, random in
            Stall(
                id: id, hallID: random.once(in: 3) ? nil : random.one(of: halls),
                size: .random(in: 0...3, using: &random))
        })

    private static let folders = RandomTable(
        { $0.folders }, id: { .init($0.one(of: letters)) },
        changes: [.set(\.parentID, \.parentID)],
        make: { id, random in
            Folder(id: id, parentID: random.once(in: 3) ? nil : .init(random.one(of: letters)))
        })

    private static let replies = RandomTable(
        { $0.replies }, id: { .init($0.one(of: letters)) },
        changes: [.set(\.parentID, \.parentID)],
        make: { id, random in
            Reply(id: id, parentID: random.once(in: 3) ? nil : .init(random.one(of: letters)))
        })

    private static let seats = RandomTable(
        { $0.seats }, id: { seat(&$0) },
        changes: [.set(\.price, \.price)],
        make: { id, random in
            Seat(
                hallID: id.hallID, row: id.row, letter: id.letter,
                price: Decimal(Int.random(in: 0...9, using: &random)) / 4)
        })

    private static let claims = RandomTable(
        { $0.claims }, id: { .init($0.one(of: letters)) },
        changes: [.set(\.seatID, \.seatID)],
        make: { id, random in Claim(id: id, seatID: random.once(in: 3) ? nil : seat(&random)) })

    private static let bookings = RandomTable(
        { $0.bookings }, id: { .init($0.one(of: letters)) },
        changes: [.set(\.seatID, \.seatID)],
        make: { id, random in Booking(id: id, seatID: seat(&random)) })

    private static func seat(_ random: inout SeededGenerator) -> Seat.ID {
        Seat.ID(
            hallID: random.one(of: halls), row: .random(in: 0...1, using: &random),
            letter: random.one(of: ["a", ","]))
    }
}
