internal import RepositoryRuntime

/// A change of one field that `updateAll` may be asked for.
struct RandomChange<E: Entity>: Sendable {
    /// The change as a program would write it.
    let text: @Sendable (E) throws -> String
    /// Says it, with a record that has the value.
    let apply: @Sendable (inout RecordUpdate<E>, E) -> Void

    /// Sets a field to the value that a record has in it.
    static func set<V: FieldValue>(
        _ field: any KeyPath<E.Fields, QueryField<E, V>> & Sendable,
        _ value: any KeyPath<E, V> & Sendable
    ) -> Self {
        let name = E.Fields()[keyPath: field].queryPath.text(in: E.Mapper.layout)
        return Self {
            "\(name) = \(ProgramText.text(try StoredValue(encoding: $0[keyPath: value])))"
        } apply: { update, record in
            update[dynamicMember: field] = record[keyPath: value]
        }
    }

    /// Adds 1 to a number.
    static func increment(
        _ field: any KeyPath<E.Fields, QueryField<E, Int>> & Sendable
    ) -> Self {
        let name = E.Fields()[keyPath: field].queryPath.text(in: E.Mapper.layout)
        return Self { _ in
            "\(name) += 1"
        } apply: { update, _ in
            update[dynamicMember: field] += 1
        }
    }
}
