import Foundation

/// A folder of schemas that somebody edits at random: mostly they fit together, now and then they do not.
struct RandomSchemas {
    private static let names = [
        "Album", "Author", "Query", "Book", "Colour", "Genre", "Label", "Page", "Shelf", "Stamped",
        "Track",
    ]
    private static let kinds = ["entity", "entity", "entity", "value", "enum", "mixin", "scalar"]

    /// The files, and the kind and the path of each declared name.
    private struct State {
        var files: [String: String] = [:]
        var declared: [String: (kind: String, path: String)] = [:]
    }

    private var random: SplitMix
    private var state = State()
    private var last = State()

    init(seed: UInt64) {
        random = SplitMix(state: seed)
    }

    private var declared: [String: (kind: String, path: String)] { state.declared }

    /// Makes one change to the files.
    ///
    /// - Returns: what was done, for who reads of a failure.
    mutating func edit(_ shop: Workshop) throws -> String {
        let before = state
        let change = change()
        try write(over: before, shop)
        last = before
        return change
    }

    /// Takes the last change back.
    mutating func undo(_ shop: Workshop) throws {
        let before = state
        state = last
        try write(over: before, shop)
    }

    private func write(over before: State, _ shop: Workshop) throws {
        for path in before.files.keys where state.files[path] == nil { try shop.remove(path) }
        for (path, text) in state.files where before.files[path] != text {
            try shop.write(text, to: path)
        }
    }

    private mutating func change() -> String {
        let kind = random.next(12)
        if kind == 0 { return put(settings, at: "Schemas/repositories.yaml") }
        guard kind < 4, let name = declared.keys.sorted().randomElement(using: &random),
            let path = declared[name]?.path, let text = state.files[path]
        else { return declare() }
        switch kind {
        case 1:
            state.declared[name] = nil
            state.files[path] = nil
            return "removed \(path)"
        case 2: return put(text + "# \(random.next(1_000))\n", at: path)
        default:
            let other = path.contains("deep") ? "Schemas/\(name).yaml" : "Schemas/deep/\(name).yaml"
            state.files[path] = nil
            state.declared[name]?.path = other
            return put(text, at: other)
        }
    }

    private mutating func declare() -> String {
        let name = pick(Self.names)
        // A declaration stays of its kind, as a rule, so that what names it still fits.
        let kind = random.next(8) > 0 ? declared[name]?.kind ?? pick(Self.kinds) : pick(Self.kinds)
        let path = declared[name]?.path ?? "Schemas/\(name).yaml"
        let text = text(kind, name)
        state.declared[name] = (kind, path)
        return put(text, at: path)
    }

    private mutating func put(_ text: String, at path: String) -> String {
        state.files[path] = text
        return "\(path):\n\(text)"
    }

    private mutating func pick(_ texts: [String]) -> String {
        texts.randomElement(using: &random) ?? ""
    }

    private mutating func chance(_ percent: Int) -> Bool { random.next(100) < percent }
}

extension RandomSchemas {
    private var settings: String {
        mutating get {
            "access: \(pick(["public", "package", "internal"]))\n"
                + "columns: \(pick(["snake_case", "as_written"]))\n"
        }
    }

    private mutating func text(_ kind: String, _ name: String) -> String {
        let doc = chance(50) ? "doc: One of \(random.next(9)).\n" : ""
        let deprecated = chance(5) ? "deprecated: true\n" : ""
        let head = "\(kind): \(name)\n\(doc)\(deprecated)"
        switch kind {
        case "enum":
            return head + (chance(50) ? "type: String\n" : "")
                + "cases: [red, green\(chance(50) ? ", blue" : "")]\n"
        case "scalar": return head + "stored: \(pick(["String", "Int"]))\n"
        case "value": return head + "fields:\n" + fields(name, prefix: "inner")
        case "mixin": return head + "fields:\n" + fields(name, prefix: "mixed", references: false)
        default: return head + entity(name)
        }
    }

    private mutating func entity(_ name: String) -> String {
        let mixins = all("mixin").filter { _ in chance(50) }
        let include = mixins.isEmpty ? "" : "include: [\(mixins.joined(separator: ", "))]\n"
        let id = pick([
            "", "", "id: { name: key, type: Int }\n", "id: { name: id, type: String }\n",
        ])
        let query =
            chance(40)
            ? "queries:\n  numbered:\n    where: number > $least\n    sort: [-number]\n" : ""
        let indexes = chance(30) ? "indexes: [[number]]\n" : ""
        return id + include + indexes + query + "fields:\n"
            + "  number: { type: Int, index: \(chance(30)), minimum: \(random.next(5)) }\n"
            + fields(name, prefix: "field")
    }

    private mutating func fields(
        _ name: String, prefix: String, references: Bool = true
    ) -> String {
        var lines = ""
        for number in 0..<(1 + random.next(4)) {
            let colours = all("enum")
            if let colour = colours.first, chance(20) {
                lines += "  \(prefix)\(name)\(number): { type: \(colour), default: red }\n"
            } else {
                let type = pick(references ? types(for: name) : ["Int", "Date", "String?"])
                lines += "  \(prefix)\(name)\(number): \(type)?\n".replacing("??", with: "?")
            }
        }
        return lines
    }

    /// The types that a field may have; seldom one that is not there.
    private mutating func types(for name: String) -> [String] {
        if chance(2) { return ["Missing"] }
        let named = declared.filter { $0.value.kind != "mixin" && $0.key != name }.keys.sorted()
        return ["Int", "Date", "Decimal", "String?"] + named
    }

    private func all(_ kind: String) -> [String] {
        declared.filter { $0.value.kind == kind }.keys.sorted()
    }
}

/// The generator splitmix64 of S. Vigna: the same numbers for the same seed.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// A number below a bound.
    mutating func next(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
}
