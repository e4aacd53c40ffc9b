internal import RepositorySchema

/// Turns tables of keys into JSON Schema: a definition for each table, referred to by its name.
struct JSONSchemaWriter {
    /// The definitions so far, in the order in which they were begun.
    private(set) var definitions: [JSONValue.Member] = []

    /// A reference to the definition of a table, which is made when it is not there yet.
    mutating func reference(to table: KeyTable) -> JSONValue {
        let name = Self.definitionName(of: table)
        define(name) { $0.object(of: table) }
        return Self.reference(name)
    }

    /// The schema of a value of a key.
    mutating func schema(of shape: Shape) -> JSONValue {
        switch shape {
        case .text: return Self.text
        case .optionalText: return ["type": ["string", "number", "boolean", "null"]]
        case .memberName, .typeName, .identifier, .sortKey: return Self.name(shape)
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
        case .pair(let value, let names):
            return [
                "type": "object", "minProperties": 1, "maxProperties": 1,
                "propertyNames": Self.name(names), "additionalProperties": schema(of: value),
            ]
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

    private mutating func object(of table: KeyTable) -> JSONValue {
        let properties = table.keys.map { key -> JSONValue.Member in
            let description = JSONValue.Member("description", .string(Self.sentence(key.summary)))
            var value = schema(of: key.shape)
            if case .object(let members) = value { value = .object([description] + members) }
            return JSONValue.Member(key.name, value)
        }
        let required = table.keys.filter(\.isRequired).map { JSONValue.string($0.name) }
        return .members([
            "description": .string(Self.sentence(table.owner)),
            "type": "object",
            "properties": .object(properties),
            "required": required.isEmpty ? nil : .array(required),
            "additionalProperties": false,
        ])
    }

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

    private static func sentence(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst() + "."
    }
}

extension JSONSchemaWriter {
    /// Text may look like anything; without quotes `1.10` is a number for an editor.
    fileprivate static let text: JSONValue = [
        "type": ["string", "number", "boolean"], "minLength": 1,
    ]

    fileprivate static let literal: JSONValue = [
        "description": "A value of the field's type.",
        "type": ["string", "number", "boolean", "array", "object"],
        "items": ["$ref": "#/$defs/literal"],
        "additionalProperties": ["$ref": "#/$defs/literal"],
    ]

    /// A type as it is written: its name, `[T]`, `[String: T]` and `?`, some brackets deep.
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
                ["enum": .array(BaseType.allCases.map { .string($0.rawValue) })],
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

    /// A name of the user's: any letters beyond ASCII, which patterns of every validator agree on.
    fileprivate static func name(_ shape: Shape) -> JSONValue {
        let pattern =
            switch shape {
            case .memberName: letter("A-Z")
            case .typeName: letter("a-z")
            case .sortKey: "-?" + letter("A-Z")
            default: letter("")
            }
        return [
            // Words that YAML takes for something else are names like any other.
            "type": ["string", "boolean"], "pattern": .string("^\(pattern)\(character)*$"),
        ]
    }

    private static let punctuation = "\\s!-/:-@\\[-\\^`{-~"
    private static let character = "[^\(punctuation)]"

    /// The first character of a name, without some letters.
    private static func letter(_ letters: String) -> String {
        "[^\(punctuation)0-9\(letters)]"
    }
}
