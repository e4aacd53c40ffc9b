import RepositorySQL

/// A driver that writes its SQL in another way.
struct ChangedDriver: SQLDriver {
    let driver: ExampleDriver
    let change: @Sendable (inout SQLSyntax) -> Void

    var name: String { driver.name }
    var syntax: SQLSyntax {
        var syntax = driver.syntax
        change(&syntax)
        return syntax
    }

    func connect() throws -> ExampleConnection { try driver.connect() }
}
