// Not generated: what `Library.versions.generated.swift` asks the program for.

import Foundation

/// The functions that convert data of earlier versions of the library.
struct AppMigrations: LibraryMigrations {
    /// Prices were cents.
    func bookPriceTo3(
        _ price: Int, of book: LibraryVersions.V2.Book
    ) throws -> Decimal {
        Decimal(sign: .plus, exponent: -2, significand: Decimal(price))
    }
}
