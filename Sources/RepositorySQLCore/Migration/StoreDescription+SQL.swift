internal import Foundation
package import RepositoryRuntime
package import StoredSchema

extension StoreDescription {
    /// Returns the JSON of the description with the next revision number; an empty text if there is
    /// no set in it.
    package func nextJSON() throws -> String {
        if sets.isEmpty { return "" }
        var next = self
        next.revision += 1
        return String(decoding: try next.json(), as: UTF8.self)
    }

    /// Checks that open schemas fit the description.
    ///
    /// - Parameters:
    ///   - schemas: the schemas by name.
    ///   - form: how the store stores records.
    ///   - store: the kind of store, for messages.
    /// - Throws: `schemaMismatch` for the first one that does not.
    package func requireFit(
        of schemas: [String: StoreSchema], form: SchemaComparison.Form, in store: String
    ) throws {
        for schema in schemas.values.sorted(by: { $0.name < $1.name }) {
            let misfits = try misfits(of: schema, form: form)
            if misfits.isEmpty { continue }
            throw CRUDRepositoryError.schemaChanged(in: store, misfits.map(\.description))
        }
    }
}
