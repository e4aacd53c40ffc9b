internal import ConditionLanguage
internal import RepositorySchema

/// Checks that nodes have the structure that the key tables require, and reports those that have
/// not.
///
/// All structural errors are found here. The code that builds declarations from checked nodes
/// reports no errors.
struct ShapeChecker {
    /// The errors found so far.
    private(set) var diagnostics: [Diagnostic] = []
    /// The number of errors that hide no name of the declaration: of keys that are no misspelt ones
    /// with names in their values.
    private(set) var harmlessCount = 0
    /// The keys whose values have the names of fields and cases.
    private static let namingKeys: Set = ["fields", "id", "include", "cases", "type", "stored"]

    /// Checks a node.
    ///
    /// - Parameters:
    ///   - node: The node.
    ///   - shape: The required structure.
    ///   - subject: The noun for the node in messages: `'table'`.
    mutating func check(_ node: YAMLNode, _ shape: Shape, _ subject: String) {
        switch shape {
        case .list(let element): checkList(node, element, subject)
        case .oneOrMany(let element):
            if node.elements != nil {
                checkList(node, element, subject)
            } else {
                check(node, element, subject)
            }
        case .named(let value, let names, let entry):
            checkNamed(node, value, names: names, entry: entry, subject)
        case .pair(let value, let names, let keys):
            checkPair(node, value, names: names, keys, subject)
        case .keys(let table): checkKeys(node, table, subject)
        case .forms(let scalar, let list, let mapping, let expected):
            let form =
                switch node.content {
                case .scalar: scalar
                case .sequence: list
                case .mapping: mapping
                }
            if let form {
                check(node, form, subject)
            } else {
                add("\(subject) is \(expected)", at: node.range)
            }
        case .type:
            if case .failure(let error) = TypeExpression.parse(node) {
                diagnostics.append(error.diagnostic)
            }
        case .literal: checkLiteral(node, subject)
        case .mark: checkMark(node, subject)
        default: checkScalar(node, shape, subject)
        }
    }

    /// Adds an error.
    mutating func add(_ message: String, at range: SourceRange, help: String? = nil) {
        diagnostics.append(Diagnostic(message, at: range, help: help))
    }

    /// Checks a list and its elements.
    private mutating func checkList(_ node: YAMLNode, _ element: Shape, _ subject: String) {
        guard let elements = node.elements else {
            let help = node.scalar.flatMap { scalar in
                node.isNull ? nil : "write '[\(scalar.text)]' for a list of one"
            }
            add(
                "\(subject) is a list, not \(node.formDescription)", at: node.range,
                help: help ?? "write '[a, b]', or one line '- a' per element")
            return
        }
        for entry in elements { check(entry, element, "an entry of \(subject)") }
    }

    /// Checks a mapping with user-chosen keys.
    private mutating func checkNamed(
        _ node: YAMLNode, _ value: Shape, names: Shape, entry: String, _ subject: String
    ) {
        guard let entries = node.entries else {
            let isList = node.elements != nil
            add(
                "\(subject) is a mapping of names, not \(node.formDescription)", at: node.range,
                help: isList ? "write 'name: …' instead of '- name: …'" : nil)
            return
        }
        for child in entries {
            checkName(child.key, names, entry)
            check(child.value, value, "'\(child.key.value)'")
        }
    }

    /// Checks that a key has no value.
    private mutating func checkMark(_ node: YAMLNode, _ subject: String) {
        guard !node.isNull else { return }
        add(
            "\(subject) has no value here", at: node.range,
            help: "write the key alone: '{ \(subject.replacing("'", with: "")), for: 6 }'")
    }

    /// Checks a mapping with a single entry, beside which it can have the keys of a table.
    private mutating func checkPair(
        _ node: YAMLNode, _ value: Shape, names: Shape, _ table: KeyTable, _ subject: String
    ) {
        guard let (entries, keys) = node.pair(keys: table.keys.map(\.name)),
            let entry = entries.first
        else { return }
        checkKeys(keys, table, at: node.range)
        if entries.count > 1 {
            let key = entries[1].key
            add(
                "\(subject) is one name with its value, not several", at: key.range,
                help: Self.nearestKey(key.value, table).map { "did you mean '\($0)'?" }
                    ?? "write a separate entry for it")
        }
        checkName(entry.key, names, subject)
        if !keys.isEmpty, entry.value.scalar?.text == "" { return }
        if entry.value.isNull {
            let name = entry.key.value
            add(
                "the raw value of '\(name)' is missing", at: entry.value.range,
                help: "write '\(name): text', or '\(name)' alone; quote 'null', if it is text")
            return
        }
        check(entry.value, value, "the value of '\(entry.key.value)'")
    }

    /// Checks a mapping with defined keys.
    private mutating func checkKeys(_ node: YAMLNode, _ table: KeyTable, _ subject: String) {
        guard let entries = node.entries else {
            let implied = table.impliedKey.flatMap { key in
                node.scalar.map { "write '{ \(key): \($0.text.shortened) }'" }
            }
            add(
                "\(subject) is a mapping, not \(node.formDescription)", at: node.range,
                help: implied)
            return
        }
        checkKeys(entries, table, at: node.range)
    }

    /// Checks the entries of a mapping with defined keys.
    mutating func checkKeys(_ entries: [YAMLEntry], _ table: KeyTable, at range: SourceRange) {
        for entry in entries {
            guard let key = table[entry.key.value] else {
                unknownKey(entry, table)
                continue
            }
            check(entry.value, key.shape, "'\(key.name)'")
        }
        for key in table.keys where key.isRequired {
            guard !entries.contains(where: { $0.key.value == key.name }) else { continue }
            // No second error if a misspelt key, or a map type without quotes, has been reported
            // for the missing key.
            let isMeant = entries.contains { entry in
                table[entry.key.value] == nil
                    && (Self.nearestKey(entry.key.value, table) == key.name
                        || (entries.count == 1 && key.name == "type"))
            }
            if isMeant { continue }
            let value = if case .mark = key.shape { "" } else { ": …" }
            add(
                "\(table.owner) needs the key '\(key.name)'", at: range,
                help: "add '\(key.name)\(value)'")
        }
        if table.isNeverEmpty, entries.isEmpty {
            let words = table.keys.map { "'\($0.name)'" }.joined(separator: " or ")
            add(
                "\(table.owner) needs the key \(words)", at: range,
                help: "add '\(table.keys[0].name): …'")
        }
        checkChoice(entries, table, at: range)
    }

    /// Checks keys that exclude or need each other.
    private mutating func checkChoice(
        _ entries: [YAMLEntry], _ table: KeyTable, at range: SourceRange
    ) {
        let chosen = entries.filter { table.alternatives.contains($0.key.value) }
        let words = table.alternatives.map { "'\($0)'" }.joined(separator: " or ")
        if let other = chosen.dropFirst().first {
            add(
                "\(table.owner) has \(words), not both", at: other.key.range,
                help: "remove one of them")
            return
        }
        // No second error for a misspelt key.
        if chosen.isEmpty, entries.allSatisfy({ table[$0.key.value] != nil }),
            !table.alternatives.isEmpty
        {
            add("\(table.owner) needs \(words)", at: range, help: "add one of them")
            return
        }
        for entry in entries {
            guard let needed = table.companions[entry.key.value],
                !entries.contains(where: { $0.key.value == needed }), !chosen.isEmpty
            else { continue }
            add(
                "'\(entry.key.value)' is only for '\(needed)'", at: entry.key.range,
                help: "remove it, or write '\(needed)'")
        }
    }

    private static func nearestKey(_ name: String, _ table: KeyTable) -> String? {
        NearestName.of(name, among: table.keys.map(\.name))
    }

    /// Reports a key that the mapping does not have. The help suggests where it belongs, or a
    /// similar key.
    private mutating func unknownKey(_ entry: YAMLEntry, _ table: KeyTable) {
        let name = entry.key.value
        let isTypeName = table["type"] != nil && name.first?.isUppercase == true
        let help =
            if let help = table.misplaced[name] {
                help
            } else if isTypeName, let value = entry.value.scalar {
                "a map is written in brackets and quotes: \"[\(name): \(value.text)]\""
            } else if let help = table.unknownHelp, Self.nearestKey(name, table) == nil {
                help
            } else {
                NearestName.help(for: name, among: table.keys.map(\.name), kind: "keys")
            }
        add("\(table.owner) has no key '\(name.shortened)'", at: entry.key.range, help: help)
        let isMeant = Self.nearestKey(name, table).map(Self.namingKeys.contains) ?? false
        if !isMeant, !isTypeName, table.misplaced[name] == nil { harmlessCount += 1 }
    }
}

extension YAMLNode {
    /// The noun for the node, for messages.
    var formDescription: String {
        switch content {
        case .scalar(let scalar): isNull ? "empty" : "'\(scalar.text.shortened)'"
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }
}

extension String {
    /// The string for a message: on one line, and at most about 40 characters long.
    var shortened: String {
        let line = String(
            unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) })
        return line.count > 40 ? line.prefix(40) + "…" : line
    }
}
