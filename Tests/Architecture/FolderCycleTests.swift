import Testing

@Suite("The check of dependencies between folders")
struct FolderCycleTests {
    private static func cycles(_ sources: [String: String]) -> [FolderCycles.Cycle] {
        FolderCycles.all(
            "M", sources.sorted { $0.key < $1.key }.map { SourceFile(path: $0, text: $1) })
    }

    @Test("finds no circle where the arrows go one way")
    func oneWay() {
        let cycles = Self.cycles([
            "Sources/M/Low/Low.swift": "struct Low {}",
            "Sources/M/Middle/Middle.swift": "struct Middle { var low: Low }",
            "Sources/M/High/High.swift": "struct High { var low: Low; var middle: Middle }",
        ])
        #expect(cycles.isEmpty)
    }

    @Test("names the arrow that leads back, and the way that closes the circle")
    func circle() throws {
        let cycles = Self.cycles([
            "Sources/M/Low/Low.swift": """
            struct Low {}

            struct Lowest { let high: High? }
            """,
            "Sources/M/Middle/Middle.swift": "struct Middle { var low: Low; var lowest: Lowest }",
            "Sources/M/High/High.swift": """
            struct High { var middle: Middle }
            """,
            "Sources/M/High/Higher.swift": """
            struct Higher { var middle: Middle }
            """,
        ])
        #expect(cycles.count == 1)
        let cycle = try #require(cycles.first)
        #expect(cycle.arrow == FolderGraph.Arrow(from: "Low", to: "High"))
        #expect(
            cycle.description == """
                Sources/M/Low/Low.swift:3: 'High' makes 'Low' depend on 'High'
                which depends on it already: 'High'
                  → 'Middle' by 'Middle' in Sources/M/High/High.swift:1
                  → 'Low' by 'Low' in Sources/M/Middle/Middle.swift:1
                """)
    }

    @Test("finds every circle")
    func circles() {
        let cycles = Self.cycles([
            "Sources/M/A/A.swift": "struct A { var b: B? }",
            "Sources/M/B/B.swift": "struct B { var a: [A] }",
            "Sources/M/C/C.swift": "struct C { var d: D?; var a: A }",
            "Sources/M/D/D.swift": "struct D { var c: [C] }",
        ])
        #expect(cycles.map(\.arrow.from) == ["A", "C"])
    }

    @Test("takes folders inside folders for themselves, and for a part of what is around them")
    func depths() {
        let inside = [
            "Sources/M/Stores/Files/Files.swift": "struct Files { var engine: Engine }",
            "Sources/M/Stores/Engine/Engine.swift": "struct Engine { var files: [Files] }",
        ]
        #expect(Self.cycles(inside).map(\.arrow.to) == ["Stores/Files"])
        let around = [
            "Sources/M/Query/Planning/Plan.swift": "struct Plan { var key: Key }",
            "Sources/M/Stores/Keys/Key.swift": "struct Key {}",
            "Sources/M/Stores/Files/Files.swift": "struct Files { var values: QueryValues }",
            "Sources/M/Query/Values/Values.swift": "struct QueryValues {}",
        ]
        #expect(Self.cycles(around).map(\.arrow.to) == ["Stores"])
        let above = [
            "Sources/M/Query/Query.swift": "struct Query { var plan: Plan? }",
            "Sources/M/Query/Planning/Plan.swift": "struct Plan { var query: Query }",
        ]
        #expect(Self.cycles(above).map(\.arrow.to) == ["Query/Planning"])
    }

    @Test("does not take other modules' folders for those of the module")
    func modules() {
        let cycles = Self.cycles([
            "Sources/M/A/A.swift": "struct A { var b: B }",
            "Sources/M/B/B.swift": "struct B {}",
            "Sources/N/B/B.swift": "struct B { var a: A }",
        ])
        #expect(cycles.isEmpty)
    }
}

@Suite("The reader of sources")
struct SourceFileTests {
    /// The arrows between the folders `A`, whose source is given, and `B`, which declares `B`.
    private static func dependsOnB(_ source: String, _ other: String = "struct B {}") -> Bool {
        let graph = FolderGraph(
            "M",
            [
                SourceFile(path: "Sources/M/A/A.swift", text: source),
                SourceFile(path: "Sources/M/B/B.swift", text: other),
            ])
        return graph.arrows.keys.contains(FolderGraph.Arrow(from: "A", to: "B"))
    }

    @Test(
        "finds uses of types",
        arguments: [
            "let b: B", "func f() -> [B?] { [] }", "extension B {}", "let b = M.B()",
            "let text = \"a \\(B.name) b\"", "let text = #\"\\#(B())\"#",
            "let text = \"\"\"\n    \\(\"in \\(B())\")\n    \"\"\"",
            "let a = 1 /* no */ + B.one", "let a = b / 2 // half\nlet c: B",
            "private let a = 1\nstruct A { let b: B }", "let b: `B`",
        ])
    func uses(_ source: String) {
        #expect(Self.dependsOnB(source))
    }

    @Test(
        "finds no uses in comments and strings, and none of other types of the same name",
        arguments: [
            "// B", "/* B /* B */ B */ let a = 1", "/// ``B``", "let text = \"B\"",
            "let text = \"\\\"B\"", "let text = #\"\\(B)\"#",
            "let text = \"\"\"\n    B \" B\n    \"\"\"",
            "let pattern = /B+/", "let pattern = #/B/#", "let a = A.B()", "let a = f().B",
            "struct A { enum B {} ; let b: B }", "private struct B {}\nlet b: B",
            "protocol A { associatedtype B; var b: B { get } }", "let bB = 1",
        ])
    func noUses(_ source: String) {
        #expect(!Self.dependsOnB(source))
    }

    @Test("takes a type that an extension declares for one of the extension's folder")
    func nested() {
        let nested = "extension A { struct B {} }"
        #expect(Self.dependsOnB("struct A { let b: B }", nested))
        #expect(Self.dependsOnB("let b: A.B", nested))
        #expect(Self.dependsOnB("extension A { var b: Self.B { B() } }", nested))
        #expect(!Self.dependsOnB("struct C { let b: B }", nested))
        #expect(Self.dependsOnB("let c: A.B.C", "extension A.B { struct C {} }"))
    }

    @Test("does not take an extension for a declaration")
    func extensions() {
        #expect(!Self.dependsOnB("struct A {}\nlet a: A", "extension A {}"))
    }

    @Test("counts lines through comments and strings")
    func lines() {
        let source = "/* 1\n2 */\nlet a = \"\"\"\n    4\n    \"\"\"\nlet b: B"
        #expect(SourceFile(path: "Sources/M/A.swift", text: source).uses.map(\.line) == [6])
    }
}
