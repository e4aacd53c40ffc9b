internal import RepositorySchema

/// Rules for the constraints of fields.
extension Validator {
    /// Checks `minLength` and `maxLength`.
    ///
    /// Lengths are defined for strings, data and lists, and the minimum must not exceed the
    /// maximum.
    ///
    /// ```yaml
    /// title: { type: String, minLength: 10, maxLength: 5 }   # reported: swapped
    /// pages: { type: Int, maxLength: 5 }                     # reported: not a length
    /// ```
    mutating func checkLengths(of field: FieldDeclaration) {
        let type = field.type.value
        let hasLength: Bool =
            switch type.unwrapped {
            case .base(.string), .base(.data), .list: true
            default: false
            }
        for (key, length) in [("minLength", field.minLength), ("maxLength", field.maxLength)] {
            guard let length, !hasLength else { continue }
            if field.isExternal {
                add(
                    "'\(key)' cannot be used with external data", at: length.range,
                    help: "remove it, and check 'size' in the program")
                continue
            }
            add(
                "'\(key)' cannot be used with \(type.description)", at: length.range,
                help: "it is for String, Data and lists")
        }
        guard hasLength, let least = field.minLength, let most = field.maxLength,
            least.value > most.value
        else { return }
        add(
            "the least length is greater than the greatest", at: least.range, help: "swap them",
            notes: [Diagnostic.Note("the greatest length stands here", at: most.range)])
    }

    /// Checks `pattern`. The diagnostic points into the pattern if its text starts at a known
    /// offset in the file.
    ///
    /// The syntax is checked by ``PatternSyntax``.
    ///
    /// ```yaml
    /// code: { type: String, pattern: '[A-Z]{3}-\d+' }
    /// ```
    mutating func checkPattern(of field: FieldDeclaration) {
        guard let pattern = field.pattern else { return }
        guard field.type.value.unwrapped == .base(.string) else {
            add(
                "'pattern' cannot be used with \(field.type.value.description)", at: pattern.range,
                help: "it is for String")
            return
        }
        guard let error = PatternSyntax.check(pattern.value) else { return }
        var range = pattern.range
        if let offset = field.patternOffset {
            range.start.column += offset + error.range.lowerBound
            range.end = range.start
            range.end.column += error.range.count
        }
        add(error.message, at: range, help: error.help)
    }

    /// Checks that `scale` is only set for a Decimal.
    mutating func checkScale(of field: FieldDeclaration) {
        guard let scale = field.scale, field.type.value.unwrapped != .base(.decimal) else { return }
        add(
            "'scale' cannot be used with \(field.type.value.description)", at: scale.range,
            help: "it is for Decimal")
    }

    /// Checks that there is at most one version and that it is an `Int`.
    ///
    /// The store increments the version with each update.
    mutating func checkVersion(in fields: [FieldDeclaration]) {
        let versions = fields.filter { $0.version?.value == true }
        for field in versions where field.type.value != .base(.int) && field.origin == nil {
            add(
                "a version is an Int, not \(field.type.value.description)", at: field.type.range,
                help: "write 'type: Int'")
        }
        guard let first = versions.first, let firstFlag = first.version else { return }
        for other in versions.dropFirst() where !other.isOfSameMixin(as: first) {
            guard let flag = other.version else { continue }
            add(
                "an entity has one version only", at: other.origin?.range ?? flag.range,
                help: "remove one of them",
                notes: other.mixinNotes + [
                    Diagnostic.Note("the other one stands here", at: firstFlag.range)
                ])
        }
    }
}
