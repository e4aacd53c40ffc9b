internal import RepositorySchema

/// The names of the functions that carry out changes.
struct MigrationFunctionName {
    /// The number of the version.
    let number: Int

    /// The name of the function for a field: `bookPriceTo4`.
    func value(_ member: String, of owner: String) -> String {
        Naming.lowerCamelCase(owner) + Naming.upperCamelCase(member) + "To\(number)"
    }

    /// The name of the function for whole records: `loanTo5`.
    func records(of entity: String) -> String { Naming.lowerCamelCase(entity) + "To\(number)" }

    /// The name of the function for several entities: `clientMembershipTo5`.
    func tables(of decision: MigrateDecision) -> String {
        records(of: decision.entities.map(\.value).joined())
    }

    /// The name of the type with the tables of that function: `ClientMembershipTo5`.
    func tablesType(of decision: MigrateDecision) -> String {
        Naming.upperCamelCase(decision.entities.map(\.value).joined()) + "To\(number)"
    }
}
