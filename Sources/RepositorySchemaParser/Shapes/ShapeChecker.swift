internal import RepositorySchema

/// Checks that nodes have the shapes of their keys, and says where they have not.
///
/// Every error of form is found here, from the key tables alone; what is built afterwards from a node
/// that passed needs no errors of its own.
struct ShapeChecker {
    /// What is wrong so far.
    private(set) var diagnostics: [Diagnostic] = []

    /// Checks a node.
    ///
    /// - Parameters:
    ///   - node: What was written.
    ///   - shape: What may be written.
    ///   - subject: What it is written for, as a message names it: `'table'`.
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
        case .pair(let value, let names): checkPair(node, value, names: names, subject)
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
        default: checkScalar(node, shape, subject)
        }
    }

    /// Notes an error.
    mutating func add(_ message: String, at range: SourceRange, help: String? = nil) {
        diagnostics.append(Diagnostic(message, at: range, help: help))
    }

    private mutating func checkList(_ node: YAMLNode, _ element: Shape, _ subject: String) {
        guard let elements = node.elements else {
            let help = node.scalar.flatMap { scalar in
                node.isNull ? nil : "write '[\(scalar.text)]' for a list of one"
            }
            add(
                "\(subject) is a list, not \(node.formDescription)", at: node.range,
                help: help ?? "write '[a, b]', or '- a' on a line for each")
            return
        }
        for entry in elements { check(entry, element, "an entry of \(subject)") }
    }

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

    private mutating func checkPair(
        _ node: YAMLNode, _ value: Shape, names: Shape, _ subject: String
    ) {
        guard let entries = node.entries, let entry = entries.first else { return }
        if entries.count > 1 {
            add(
                "\(subject) is one name with its value, not several", at: entries[1].key.range,
                help: "begin an entry of its own for it")
        }
        checkName(entry.key, names, subject)
        if entry.value.isNull {
            let name = entry.key.value
            add(
                "the raw value of '\(name)' is missing", at: entry.value.range,
                help: "write '\(name): text', or '\(name)' alone; quote 'null', if it is text")
            return
        }
        check(entry.value, value, "the value of '\(entry.key.value)'")
    }

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
            // The key that was meant was told of already, or a map that is not quoted.
            let isMeant = entries.contains { entry in
                table[entry.key.value] == nil
                    && (Self.nearestKey(entry.key.value, table) == key.name
                        || (entries.count == 1 && key.name == "type"))
            }
            if isMeant { continue }
            add(
                "\(table.owner) needs the key '\(key.name)'", at: range,
                help: "add '\(key.name): …'")
        }
    }

    private static func nearestKey(_ name: String, _ table: KeyTable) -> String? {
        NearestName.of(name, among: table.keys.map(\.name))
    }

    private mutating func unknownKey(_ entry: YAMLEntry, _ table: KeyTable) {
        let name = entry.key.value
        let isTypeName = table["type"] != nil && name.first?.isUppercase == true
        let help =
            if let help = table.misplaced[name] {
                help
            } else if isTypeName, let value = entry.value.scalar {
                "a map is written in brackets and quotes: \"[\(name): \(value.text)]\""
            } else {
                NearestName.help(for: name, among: table.keys.map(\.name), kind: "keys")
            }
        add("\(table.owner) has no key '\(name.shortened)'", at: entry.key.range, help: help)
    }
}

extension YAMLNode {
    /// What the node is, as a message says it.
    var formDescription: String {
        switch content {
        case .scalar(let scalar): isNull ? "empty" : "'\(scalar.text.shortened)'"
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }
}

extension String {
    /// The text for a message: on one line, and not longer than a message can take.
    var shortened: String {
        let line = String(
            unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) })
        return line.count > 40 ? line.prefix(40) + "…" : line
    }
}
