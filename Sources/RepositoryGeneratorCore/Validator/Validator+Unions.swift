internal import RepositorySchema

/// Rules for unions.
extension Validator {
    /// Checks the cases of a union and their fields.
    ///
    /// The fields of each case are checked like those of a value.
    ///
    /// ```yaml
    /// union: Attachment
    /// cases:
    ///   text: { text: String }
    ///   photo: { file: String, caption: String? }
    ///   none: {}   # reported: '.none' is a case of 'Optional'
    /// ```
    mutating func check(_ union: UnionDeclaration) {
        let header = union.header
        if union.cases.isEmpty, header.isComplete {
            add(
                "the union '\(header.name.value)' has no cases", at: header.name.range,
                help: "add one under 'cases': 'text: { text: String }'")
        }
        for item in union.cases {
            if Self.casesOfOptional.contains(item.name.value) {
                add(
                    "a case cannot be called '\(item.name.value)': '.\(item.name.value)' of an "
                        + "optional is a case of the optional",
                    at: item.name.range, help: "rename it")
            }
            checkMembers(item.fields, idName: nil)
            checkEarlierNames(item.fields)
            for field in item.fields { check(field) }
        }
        checkEarlierNames(union.renamedFrom, of: header)
        checkRemovedCases(of: union)
    }
}
