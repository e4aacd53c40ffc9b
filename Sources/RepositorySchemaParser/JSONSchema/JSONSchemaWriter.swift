internal import RepositorySchema

/// Converts key tables to JSON Schema. Each table becomes a named definition.
struct JSONSchemaWriter {
    /// The definitions written so far, in the order in which they were started.
    private(set) var definitions: [JSONValue.Member] = []

    /// A reference to the definition of a table. The definition is added if it does not exist yet.
    mutating func reference(to table: KeyTable) -> JSONValue {
        let name = Self.definitionName(of: table)
        define(name) { $0.object(of: table) }
        return Self.reference(name)
    }

    /// The schema for values of a shape.
    mutating func schema(of shape: Shape) -> JSONValue {
        switch shape {
        case .text: return Self.text
        case .optionalText: return ["type": ["string", "number", "boolean", "null"]]
        case .memberName, .typeName, .identifier, .sortKey, .indexKey, .path:
            return Self.name(shape)
        case .sortValue: return Self.sortValue
        case .mark: return ["type": "null"]
        case .flag: return ["type": "boolean"]
        case .flagOrText: return ["anyOf": [["const": true], Self.text]]
        case .integer(let bounds):
            return .members([
                "type": "integer", "minimum": .integer(bounds.lowerBound),
                "maximum": bounds.upperBound == .max ? nil : .integer(bounds.upperBound),
            ])
        case .choice(let words, _): return ["enum": .array(words.map { .string($0) })]
        case .type:
            define("type") { _ in Self.type }
            return Self.reference("type")
        case .literal:
            define("literal") { _ in Self.literal }
            return Self.reference("literal")
        case .list(let element): return ["type": "array", "items": schema(of: element)]
        case .oneOrMany(let element):
            let one = schema(of: element)
            return ["anyOf": [one, ["type": "array", "items": one]]]
        case .named(let value, let names, _):
            return [
                "type": "object", "propertyNames": Self.name(names),
                "additionalProperties": schema(of: value),
            ]
        case .pair(let value, let names, let table):
            return pair(schema(of: value), Self.name(names), table)
        case .keys(let table): return reference(to: table)
        case .forms(let scalar, let list, let mapping, _):
            var forms: [JSONValue] = []
            for form in [scalar, list, mapping] {
                guard let form else { continue }
                let schema = schema(of: form)
                if !forms.contains(schema) { forms.append(schema) }
            }
            return forms.count == 1 ? forms[0] : ["anyOf": .array(forms)]
        }
    }

    /// The schema for a mapping of one user-chosen name, alone or beside keys of a table.
    private mutating func pair(
        _ value: JSONValue, _ names: JSONValue, _ table: KeyTable
    ) -> JSONValue {
        let keys = properties(of: table)
        return [
            "anyOf": [
                [
                    "type": "object", "minProperties": 1, "maxProperties": 1,
                    "propertyNames": names, "additionalProperties": value,
                ],
                [
                    "type": "object", "minProperties": 2,
                    "maxProperties": .integer(keys.count + 1), "propertyNames": names,
                    "properties": .object(keys),
                    "anyOf": .array(keys.map { ["required": [.string($0.name)]] }),
                    "additionalProperties": ["anyOf": [value, ["type": "null"]]],
                ],
            ]
        ]
    }

    /// The keys of a table with their schemas.
    private mutating func properties(of table: KeyTable) -> [JSONValue.Member] {
        table.keys.map { key -> JSONValue.Member in
            let description = JSONValue.Member("description", .string(Self.sentence(key.summary)))
            var value = schema(of: key.shape)
            if case .object(let members) = value { value = .object([description] + members) }
            return JSONValue.Member(key.name, value)
        }
    }

    /// The definition of a table: an object with the keys as properties.
    private mutating func object(of table: KeyTable) -> JSONValue {
        let properties = properties(of: table)
        let required = table.keys.filter(\.isRequired).map { JSONValue.string($0.name) }
        return .members([
            "description": .string(Self.sentence(table.owner)),
            "type": "object",
            "properties": .object(properties),
            "required": required.isEmpty ? nil : .array(required),
            "minProperties": table.isNeverEmpty ? 1 : nil,
            "oneOf": table.alternatives.isEmpty
                ? nil : .array(table.alternatives.map { ["required": [.string($0)]] }),
            "dependentRequired": table.companions.isEmpty
                ? nil
                : .object(
                    table.companions.sorted { $0.key < $1.key }.map {
                        JSONValue.Member($0.key, [.string($0.value)])
                    }),
            "additionalProperties": false,
        ])
    }

    /// Adds a definition once. A placeholder is added first, so that recursive references end and
    /// the order is stable.
    private mutating func define(_ name: String, _ body: (inout JSONSchemaWriter) -> JSONValue) {
        guard !definitions.contains(where: { $0.name == name }) else { return }
        let index = definitions.count
        definitions.append(JSONValue.Member(name, .null))
        let value = body(&self)
        definitions[index].value = value
    }

    private static func reference(_ name: String) -> JSONValue {
        ["$ref": .string("#/$defs/\(name)")]
    }

    /// `a field of a value` → `field-of-a-value`
    private static func definitionName(of table: KeyTable) -> String {
        var words = table.owner.replacing("'", with: "").split(separator: " ")
        if let first = words.first, ["a", "an", "the"].contains(first) { words.removeFirst() }
        return words.joined(separator: "-")
    }

    /// A phrase as a sentence: with an upper-case first letter and a period.
    private static func sentence(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst() + "."
    }
}

extension JSONSchemaWriter {
    /// A string. Unquoted YAML such as `1.10` is a number for an editor, so numbers and Booleans
    /// are accepted.
    fileprivate static let text: JSONValue = [
        "type": ["string", "number", "boolean"], "minLength": 1,
    ]

    fileprivate static let literal: JSONValue = [
        "description": "A value of the field's type.",
        "type": ["string", "number", "boolean", "array", "object"],
        "items": ["$ref": "#/$defs/literal"],
        "additionalProperties": ["$ref": "#/$defs/literal"],
    ]

    /// A type expression: a name, `[T]`, `[String: T]` and `?`, with a few levels of nesting.
    fileprivate static let type: JSONValue = {
        let space = "[ \\t]*"
        var pattern = letter("") + character + "*"
        for _ in 0..<4 {
            let list = "\\[\(space)(String\(space):\(space))?\(pattern)\(space)\\]"
            pattern = "(\(letter(""))\(character)*|\(list))\(space)\\??"
        }
        return [
            "description": "A type: 'String', 'Int?', '[Date]', or one that is declared.",
            "anyOf": [
                ["enum": .array(BaseType.written.map { .string($0.rawValue) })],
                [
                    "type": "string", "pattern": .string("^\(space)\(pattern)\(space)$"),
                    "not": ["pattern": "\\bUInt(64)?\\b"],
                ],
                [
                    "type": "array", "minItems": 1, "maxItems": 1,
                    "items": [
                        "anyOf": [
                            ["$ref": "#/$defs/type"],
                            [
                                "type": "object",
                                "properties": ["String": ["$ref": "#/$defs/type"]],
                                "required": ["String"], "additionalProperties": false,
                            ],
                        ]
                    ],
                ],
            ],
        ]
    }()

    /// A user-chosen name. Non-ASCII letters are accepted without a check, because validators
    /// differ in Unicode classes.
    fileprivate static func name(_ shape: Shape) -> JSONValue {
        let pattern =
            switch shape {
            case .memberName: letter("A-Z")
            case .typeName: letter("a-z")
            case .sortKey, .indexKey: "-?" + letter("A-Z")
            default: letter("")
            }
        let field =
            switch shape {
            case .path: "(\\.\(pattern)\(character)*)?"
            case .indexKey: "(\\.\(letter("A-Z"))\(character)*)*"
            default: ""
            }
        return [
            // A YAML word such as `on` or `yes` is a Boolean for an editor, but a valid name.
            "type": ["string", "boolean"], "pattern": .string("^\(pattern)\(character)*\(field)$"),
        ]
    }

    /// What a query sorts by.
    fileprivate static var sortValue: JSONValue {
        let name = "\(letter("A-Z"))\(character)*"
        let path = "\(name)(\\.\(name))*"
        return [
            "type": ["string", "boolean"],
            "pattern": .string("^-?(\(path)|count\\(\(path)\\))$"),
        ]
    }

    private static let punctuation = "\\s!-/:-@\\[-\\^`{-~"
    private static let character = "[^\(punctuation)]"

    /// A pattern for the first character of a name, which excludes some letters.
    private static func letter(_ letters: String) -> String {
        "[^\(punctuation)0-9\(letters)]"
    }
}
