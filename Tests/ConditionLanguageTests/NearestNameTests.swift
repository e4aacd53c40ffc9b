import ConditionLanguage
import Testing

@Suite("The nearest name")
struct NearestNameTests {
    @Test(
        "is offered when it is near",
        arguments: [
            ("Strng", "String"), ("string", "String"), ("uuid", "UUID"), ("Stirng", "String"),
            ("Integer", nil), ("Itn", "Int"), ("x", nil), ("URl", "URL"), ("", nil),
            ("StringString", nil), ("Date", nil), ("D_A_T_E", "Date"),
        ] as [(String, String?)])
    func nearest(name: String, expected: String?) {
        #expect(NearestName.of(name, among: ["String", "Int", "UUID", "URL", "Date"]) == expected)
    }

    @Test("of several at one distance the first wins")
    func first() {
        #expect(NearestName.of("cat", among: ["bat", "hat"]) == "bat")
    }

    @Test("help lists few names and no long list")
    func help() {
        #expect(
            NearestName.help(for: "x", among: ["a1", "b1"], kind: "keys") == "the keys are: a1, b1")
        #expect(
            NearestName.help(for: "b2", among: ["a1", "b1"], kind: "keys") == "did you mean 'b1'?")
        let many = (0..<40).map { "name\($0)" }
        #expect(NearestName.help(for: "x", among: many, kind: "keys") == nil)
    }

    @Test("very long names cost no more than their beginnings")
    func long() {
        let long = String(repeating: "a", count: 200_000)
        #expect(NearestName.of(long, among: [long + "b", "b"]) == long + "b")
    }
}
