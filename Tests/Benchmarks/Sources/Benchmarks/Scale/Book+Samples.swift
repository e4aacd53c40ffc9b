import Foundation

extension Book {
    /// How many books an author has written.
    static let perAuthor = 10

    /// The book of a number. Ids ascend, as those do that are made of the time.
    ///
    /// - Parameter author: the number of its author.
    init(number: Int, author: Int) {
        self.init(
            id: Book.ID(Book.id(number)), title: "The collected works, volume \(number)",
            author: Book.author(author), publisher: "Orell Füssli \(number % 50)",
            pages: 100 + number % 900, rating: Double(number % 50) * 0.1,
            isAvailable: number % 3 != 0,
            publishedAt: Date(timeIntervalSince1970: 1_000_000_000 + Double(number) * 60))
    }

    /// The id of a number; in the order of the numbers.
    static func id(_ number: Int) -> String { "book-\(1_000_000_000 + number)" }

    /// The name of the file in which the book of a number is.
    static func fileName(_ number: Int) -> String { "item_\(id(number)).json" }

    /// The author of a number.
    static func author(_ number: Int) -> String { "Author \(1_000_000 + number)" }
}
