public import Foundation

/// The changes of an ``EntityRepository/updateAll(_:set:)``, with the fields of the record as
/// members.
///
/// ```swift
/// try await books.updateAll(where: { $0.status == .onLoan }) {
///     $0.status = .available
///     $0.price += 2
///     $0.shelf.row = 3
///     $0.tags.append("returned")
/// }
/// ```
/// Assign a value to set a field. Numbers support `+=` and `-=`, lists support `append`. The fields
/// of an embedded value are set only in records that have the value. Arithmetic on null yields
/// null. The changes are applied in order to each record.
///
/// The closure that receives this value runs once, before any record is read. It describes the
/// changes and cannot read fields.
@dynamicMemberLookup
public struct RecordUpdate<Record: MappedRecord> {
    /// The path of the embedded value that this value updates; nil for the stored record itself.
    let place: FieldPath?
    /// The changes described so far, in order.
    var steps: [FieldStep] = []

    init(at place: FieldPath?) {
        self.place = place
    }

    /// The path of a field, starting at the stored record.
    func path<Value>(_ field: KeyPath<Record.Fields, QueryField<Record, Value>>) -> FieldPath {
        let path = Record.Fields()[keyPath: field].queryPath
        guard let place else { return path }
        let fields = Record.Mapper.layout.fields
        // Generated indexes are valid. An invalid one yields a path that no record has.
        let name = fields.indices.contains(path.field) ? fields[path.field].name : ""
        return FieldPath(place.field, place.names + [name] + path.names)
    }

    /// Adds the steps described through a member to the update.
    ///
    /// Assigning one member to another (`$0.a = $0.b`) yields no steps or steps of another path. It
    /// is recorded as invalid, because fields cannot be read.
    private mutating func take(_ new: [FieldStep], of source: FieldPath?, as field: FieldPath) {
        guard source == field, !new.isEmpty else {
            steps.append(FieldStep(field, .invalid("no field can be read in an update")))
            return
        }
        steps += new
    }
}

// Each kind of field has an overload, and the overload for plain values is disfavoured. So `=`
// finds the type of the field, `+=` finds the operators of its kind, and the compiler reports a
// wrong operand precisely.
extension RecordUpdate {
    /// A field, which can be set.
    @_disfavoredOverload
    public subscript<Value: FieldValue>(
        dynamicMember field: KeyPath<Record.Fields, QueryField<Record, Value>>
    ) -> Value {
        @available(
            *, unavailable,
            message: "an update describes changes to many records and cannot read their fields"
        )
        get {
            // A subscript needs a getter. The compiler rejects every use of this one.
            fatalError("A field of a RecordUpdate was read.")
        }
        set { steps.append(.set(newValue, at: path(field))) }
    }

    /// An integer field, which can be set, incremented and decremented.
    public subscript<Value: NumericFieldValue>(
        dynamicMember field: KeyPath<Record.Fields, QueryField<Record, Value>>
    ) -> IntegerUpdate where Value.Total == Int {
        get { IntegerUpdate(path(field)) }
        set { take(newValue.steps, of: newValue.path, as: path(field)) }
    }

    /// A floating-point field, which can be added to.
    public subscript<Value: NumericFieldValue>(
        dynamicMember field: KeyPath<Record.Fields, QueryField<Record, Value>>
    ) -> DoubleUpdate where Value.Total == Double {
        get { DoubleUpdate(path(field)) }
        set { take(newValue.steps, of: newValue.path, as: path(field)) }
    }

    /// A decimal field, which can be added to.
    public subscript<Value: NumericFieldValue>(
        dynamicMember field: KeyPath<Record.Fields, QueryField<Record, Value>>
    ) -> DecimalUpdate where Value.Total == Decimal {
        get { DecimalUpdate(path(field)) }
        set { take(newValue.steps, of: newValue.path, as: path(field)) }
    }

    /// A list field, which can be appended to.
    public subscript<Element: FieldValue>(
        dynamicMember field: KeyPath<Record.Fields, QueryField<Record, [Element]>>
    ) -> ListUpdate<Element> {
        get { ListUpdate(path(field)) }
        set { take(newValue.steps, of: newValue.path, as: path(field)) }
    }

    /// An embedded value, whose fields can be set.
    public subscript<Value: EmbeddedValue>(
        dynamicMember field: KeyPath<Record.Fields, QueryField<Record, Value>>
    ) -> RecordUpdate<Value> {
        get { RecordUpdate<Value>(at: path(field)) }
        set { take(newValue.steps, of: newValue.place, as: path(field)) }
    }

    /// An optional embedded value. Its fields are set in the records in which it is not nil.
    public subscript<Value: EmbeddedValue>(
        dynamicMember field: KeyPath<Record.Fields, QueryField<Record, Value?>>
    ) -> RecordUpdate<Value> {
        get { RecordUpdate<Value>(at: path(field)) }
        set { take(newValue.steps, of: newValue.place, as: path(field)) }
    }
}

extension RecordUpdate where Record: Entity {
    /// The id, which cannot be changed.
    public subscript(
        dynamicMember field: KeyPath<Record.Fields, QueryField<Record, Record.ID>>
    ) -> Record.ID {
        @available(
            *, unavailable,
            message: "an update describes changes to many records and cannot read their fields"
        )
        get {
            // A subscript needs a getter. The compiler rejects every use of this one.
            fatalError("A field of a RecordUpdate was read.")
        }
        @available(*, unavailable, message: "the id of a record cannot be changed")
        set { steps.append(.set(newValue, at: path(field))) }
    }
}
