internal import Foundation
internal import RepositoryRuntime
package import RepositoryTesting

/// Records that several processes know of.
package enum SharedRecords {
    /// The ticket that all of them count up.
    package static let ticket = Ticket.ID(
        UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)))

    /// The product that all of them sell.
    package static let product = Product.ID("shared")
}
