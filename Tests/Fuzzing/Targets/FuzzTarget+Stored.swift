internal import Foundation
internal import RepositoryRuntime

extension FuzzTarget {
    /// What a store or a caller keeps besides records.
    static let stored = [
        FuzzTarget("cursor") { bytes in
            guard let cursor = QueryCursor(String(decoding: bytes, as: UTF8.self)) else {
                return nil
            }
            let again = QueryCursor(cursor.description)
            // Among its values may be what is not a number, which equals nothing.
            let isSame = again == cursor || cursor != cursor
            return isSame && again?.description == cursor.description
                ? nil : "A cursor changes when it is written: \(cursor)"
        },
        FuzzTarget("stored-schema") { bytes in
            do {
                _ = try StoredSchema(json: Data(bytes), store: "fuzz")
                return nil
            } catch let error as CRUDRepositoryError where error.code == .schemaMismatch {
                return nil
            } catch {
                return "A stored schema is refused by another error: \(error)"
            }
        },
    ]
}
