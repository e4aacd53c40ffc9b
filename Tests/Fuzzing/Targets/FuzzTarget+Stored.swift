internal import Foundation
internal import RepositoryRuntime
internal import StoredSchema

extension FuzzTarget {
    /// What a store or a caller keeps besides records.
    static let stored = [
        FuzzTarget("cursor") { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            guard let cursor = QueryCursor(text) else { return nil }
            let again = QueryCursor(cursor.description)
            // Among its values may be what is not a number: then two readings of one text differ.
            let isSame = again == cursor || QueryCursor(text) != cursor
            return isSame && again?.description == cursor.description
                ? nil : "A cursor changes when it is written: \(cursor)"
        },
        FuzzTarget("stored-schema") { bytes in
            do {
                _ = try StoreDescription(json: Data(bytes), store: "fuzz")
                return nil
            } catch let error as CRUDRepositoryError where error.code == .schemaMismatch {
                return nil
            } catch {
                return "A stored schema is refused by another error: \(error)"
            }
        },
    ]
}
