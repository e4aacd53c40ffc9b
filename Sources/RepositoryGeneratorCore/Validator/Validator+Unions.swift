internal import RepositorySchema

extension Validator {
    /// Checks a union's cases and their fields.
    mutating func check(_ union: UnionDeclaration) {
        let header = union.header
        if union.cases.isEmpty, header.isComplete {
            add(
                "the union '\(header.name.value)' has no cases", at: header.name.range,
                help: "add one under 'cases': 'text: { text: String }'")
        }
        for item in union.cases {
            checkMembers(item.fields, idName: nil)
            checkEarlierNames(item.fields)
            for field in item.fields { check(field) }
        }
    }
}
