/// The comparison of what fingerprints do not cover: enum cases and folded columns.
extension StoredTable {
    /// Returns whether two descriptions of a table are equivalent, by fingerprint. The order of
    /// fields and indexes is ignored, and so are enum cases and folded columns.
    package func isAlike(_ other: StoredTable) -> Bool {
        // Fingerprints are expensive, and most compared tables are equal.
        self == other
            || SchemaDescription.fingerprint(of: [self])
                == SchemaDescription.fingerprint(of: [other])
    }

    /// Whether enum cases are recorded for any field.
    package var namesCases: Bool { fields.contains { $0.cases != nil || $0.type.namesCases } }

    /// Whether enum cases or folded columns are recorded for any field.
    package var namesDetails: Bool { namesCases || fields.contains { $0.isFolded != nil } }

    /// Returns whether the fields have the same enum cases and folded columns.
    package func hasSameDetails(as other: StoredTable) -> Bool {
        fields.allSatisfy { field in
            guard let twin = other.field(field.name) else { return false }
            return field.cases == twin.cases && field.type == twin.type
                && field.isFolded == twin.isFolded
        }
    }

    /// Appends the enum and union cases of the table to the input of a digest.
    func writeCases(to text: inout CanonicalText) {
        text.add(name)
        text.add(fields.sorted { UTF8Order.precedes($0.name, $1.name) }) {
            $1.type.writeCases(of: $1.name, $1.cases, to: &$0)
        }
    }
}

extension StoredShape {
    /// Whether the type contains a member with recorded enum cases.
    fileprivate var namesCases: Bool {
        switch self {
        case .single: false
        case .composite(let members), .object(let members):
            members.contains { $0.cases != nil || $0.type.namesCases }
        case .list(let element, _), .map(let element, _): element.namesCases
        }
    }

    /// Appends a field or member of this type to the input of a digest of cases: its name, the
    /// cases of its enum, and its members.
    fileprivate func writeCases(of name: String, _ cases: [String]?, to text: inout CanonicalText) {
        text.add(name)
        text.add(cases) { $0.add($1.sorted(by: UTF8Order.precedes)) { $0.add($1) } }
        text.add(members.sorted { UTF8Order.precedes($0.name, $1.name) }) {
            $1.type.writeCases(of: $1.name, $1.cases, to: &$0)
        }
    }

    /// The members of an embedded value or composite id, alone or in a list or map.
    private var members: [StoredMember] {
        switch self {
        case .single: []
        case .composite(let members), .object(let members): members
        case .list(let element, _), .map(let element, _): element.members
        }
    }
}
