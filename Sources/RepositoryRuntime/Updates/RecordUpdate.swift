public import Foundation

/// What an ``EntityRepository/updateAll(_:set:)`` changes: an inout value with the fields of the record as members.
///
/// ```swift
/// try await books.updateAll(where: { $0.status == .onLoan }) {
///     $0.status = .available
///     $0.price += 2
///     $0.shelf.row = 3
///     $0.tags.append("returned")
/// }
/// ```
/// A field is set to a value of its type; numbers take `+=` and `-=`, lists `append`. The fields of an embedded value
/// are set in the records that have the value: where it is missing there is nothing to set. Null stays null whatever
/// is added to it. The steps happen in the order written, on each record by itself.
///
/// The closure that is given this runs once, before any record is found, and says what is to be done; so no field can
/// be read in it.
@dynamicMemberLookup
public struct RecordUpdate<Record: MappedRecord> {
    /// Where the record stands within the one that is stored; nil for that one itself.
    let place: FieldPath?
    /// What was said so far, in order.
    var steps: [FieldStep] = []

    init(at place: FieldPath?) {
        self.place = place
    }

    /// The path, from the record that is stored, of a field.
    func path<Value>(_ field: KeyPath<Record.Fields, QueryField<Record, Value>>) -> FieldPath {
        let path = Record.Fields()[keyPath: field].queryPath
        guard let place else { return path }
        let fields = Record.Mapper.layout.fields
        // Generated indexes are those of the layout; a wrong one names a field that no record has.
        let name = fields.indices.contains(path.field) ? fields[path.field].name : ""
        return FieldPath(place.field, place.names + [name] + path.names)
    }

    /// Takes over what was said of a field; a field that was only read, to set another one to it, said nothing.
    private mutating func take(_ said: [FieldStep], of source: FieldPath?, as field: FieldPath) {
        guard source == field, !said.isEmpty else {
            steps.append(FieldStep(field, .invalid("no field can be read in an update")))
            return
        }
        steps += said
    }
}

// Each kind of field has one overload of its own, and the one for plain values is disfavoured: so `=` finds the type of
// the field, `+=` finds the operators of its kind, and a wrong operand is reported as just that.
extension RecordUpdate {
    /// A field, to be set.
    @_disfavoredOverload
    public subscript<Value: FieldValue>(
        dynamicMember field: KeyPath<Record.Fields, QueryField<Record, Value>>
    ) -> Value {
        @available(
            *, unavailable,
            message: "what is said here is said of many records, none of which can be read"
        )
        get {
            // A subscript cannot be without a getter; the compiler refuses every use of this one.
            fatalError("A field of a RecordUpdate was read.")
        }
        set { steps.append(.set(newValue, at: path(field))) }
    }

    /// An integer, to be counted up or down.
    public subscript<Value: NumericFieldValue>(
        dynamicMember field: KeyPath<Record.Fields, QueryField<Record, Value>>
    ) -> IntegerUpdate where Value.Total == Int {
        get { IntegerUpdate(path(field)) }
        set { take(newValue.steps, of: newValue.path, as: path(field)) }
    }

    /// A floating-point number, to be added to.
    public subscript<Value: NumericFieldValue>(
        dynamicMember field: KeyPath<Record.Fields, QueryField<Record, Value>>
    ) -> DoubleUpdate where Value.Total == Double {
        get { DoubleUpdate(path(field)) }
        set { take(newValue.steps, of: newValue.path, as: path(field)) }
    }

    /// A decimal, to be added to.
    public subscript<Value: NumericFieldValue>(
        dynamicMember field: KeyPath<Record.Fields, QueryField<Record, Value>>
    ) -> DecimalUpdate where Value.Total == Decimal {
        get { DecimalUpdate(path(field)) }
        set { take(newValue.steps, of: newValue.path, as: path(field)) }
    }

    /// A list, to be added to.
    public subscript<Element: FieldValue>(
        dynamicMember field: KeyPath<Record.Fields, QueryField<Record, [Element]>>
    ) -> ListUpdate<Element> {
        get { ListUpdate(path(field)) }
        set { take(newValue.steps, of: newValue.path, as: path(field)) }
    }

    /// An embedded value, whose fields are to be set.
    public subscript<Value: EmbeddedValue>(
        dynamicMember field: KeyPath<Record.Fields, QueryField<Record, Value>>
    ) -> RecordUpdate<Value> {
        get { RecordUpdate<Value>(at: path(field)) }
        set { take(newValue.steps, of: newValue.place, as: path(field)) }
    }

    /// An embedded value that may be missing, whose fields are to be set where it is not.
    public subscript<Value: EmbeddedValue>(
        dynamicMember field: KeyPath<Record.Fields, QueryField<Record, Value?>>
    ) -> RecordUpdate<Value> {
        get { RecordUpdate<Value>(at: path(field)) }
        set { take(newValue.steps, of: newValue.place, as: path(field)) }
    }
}

extension RecordUpdate where Record: Entity {
    /// The id, which is for good.
    public subscript(
        dynamicMember field: KeyPath<Record.Fields, QueryField<Record, Record.ID>>
    ) -> Record.ID {
        @available(
            *, unavailable,
            message: "what is said here is said of many records, none of which can be read"
        )
        get {
            // A subscript cannot be without a getter; the compiler refuses every use of this one.
            fatalError("A field of a RecordUpdate was read.")
        }
        @available(*, unavailable, message: "the id of a record is never changed")
        set { steps.append(.set(newValue, at: path(field))) }
    }
}
