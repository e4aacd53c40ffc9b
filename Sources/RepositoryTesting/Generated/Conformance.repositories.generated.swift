package import RepositoryRuntime

/// One repository for each entity, over one store.
nonisolated package struct Conformance: RepositorySet {
    package static let schema = StoreSchema(
        "Conformance",
        [
            Article.self,
            Counter.self,
            Grade.self,
            Season.self,
            Hall.self,
            Seat.self,
            Booking.self,
            Claim.self,
            Folder.self,
            Link.self,
            Member.self,
            Note.self,
            Product.self,
            Specimen.self,
            Sparse.self,
            Ticket.self,
        ])

    package let context: RepositoryContext

    /// The articles.
    package var articles: ArticleRepository { ArticleRepository(context) }
    /// The bookings.
    package var bookings: BookingRepository { BookingRepository(context) }
    /// The claims.
    package var claims: ClaimRepository { ClaimRepository(context) }
    /// The counters.
    package var counters: CounterRepository { CounterRepository(context) }
    /// The folders.
    package var folders: FolderRepository { FolderRepository(context) }
    /// The grades.
    package var grades: GradeRepository { GradeRepository(context) }
    /// The halls.
    package var halls: HallRepository { HallRepository(context) }
    /// The links.
    package var links: LinkRepository { LinkRepository(context) }
    /// The members.
    package var members: MemberRepository { MemberRepository(context) }
    /// The notes.
    package var notes: NoteRepository { NoteRepository(context) }
    /// The products.
    package var products: ProductRepository { ProductRepository(context) }
    /// The seasons.
    package var seasons: SeasonRepository { SeasonRepository(context) }
    /// The seats.
    package var seats: SeatRepository { SeatRepository(context) }
    /// The sparses.
    package var sparses: SparseRepository { SparseRepository(context) }
    /// The specimens.
    package var specimens: SpecimenRepository { SpecimenRepository(context) }
    /// The tickets.
    package var tickets: TicketRepository { TicketRepository(context) }

    package init(context: RepositoryContext) {
        self.context = context
    }
}
