internal import RepositoryRuntime

extension StoreBehaviour {
    /// Text searches.
    static let queryText: [StoreBehaviour] = [
        query("text.bytes", "Strings are compared by their bytes, with case and Unicode form.") {
            trial in
            try await trial.store(["caf\u{E9}", "cafe\u{301}", "Caf\u{E9}", "cafe"]) {
                $0.string = $1
            }
            try await trial.expectMatches([0]) { $0.string == "caf\u{E9}" }
            try await trial.expectMatches([1]) { $0.string == "cafe\u{301}" }
            try await trial.expectMatches([1, 2, 3]) { $0.string != "caf\u{E9}" }
            try await trial.expectMatches([0, 3]) { $0.string.in(["cafe", "caf\u{E9}"]) }
        },
        query("text.contains", "A string contains its substrings, including the empty string.") {
            trial in
            try await trial.store(["", "abc", "cab", "ABC", nil]) { $0.string = $1 }
            try await trial.expectMatches([1, 2]) { $0.string.contains("ab") }
            try await trial.expectMatches([1]) { $0.string.contains("bc") }
            try await trial.expectMatches([1]) { $0.string.contains("abc") }
            try await trial.expectMatches([]) { $0.string.contains("abcd") }
            try await trial.expectMatches([0, 1, 2, 3]) { $0.string.contains("") }
        },
        query("text.prefix", "A string has its prefixes, including the empty string.") { trial in
            try await trial.store(["", "abc", "cab", "ab", nil]) { $0.string = $1 }
            try await trial.expectMatches([1, 3]) { $0.string.hasPrefix("ab") }
            try await trial.expectMatches([1]) { $0.string.hasPrefix("abc") }
            try await trial.expectMatches([0, 1, 2, 3]) { $0.string.hasPrefix("") }
            try await trial.expectMatches([0, 2, 4]) { !$0.string.hasPrefix("a") }
        },
        query(
            "text.prefixEnd",
            "A prefix search finds strings with the largest scalar after the prefix."
        ) { trial in
            let last = "\u{10FFFF}"
            try await trial.store(["a", "a\(last)", "a\(last)\(last)", "b", "a\u{7F}", "a\u{80}"]) {
                $0.string = $1
            }
            try await trial.expectMatches([1, 2]) { $0.string.hasPrefix("a\(last)") }
            try await trial.expectMatches([0, 1, 2, 4, 5]) { $0.string.hasPrefix("a") }
            try await trial.expectMatches([4]) { $0.string.hasPrefix("a\u{7F}") }
        },
        query(
            "text.wildcards", "Wildcards, quotes and escapes have no special meaning in a search."
        ) {
            trial in
            let texts = ["a%b", "a_b", "a*b", "a?b", "a[b]", "a\\b", "a'b", "a\"b", "axb", "a^b"]
            try await trial.store(texts) { $0.string = $1 }
            for (number, text) in texts.enumerated() {
                try await trial.expectMatches([number], text) { $0.string.contains(text) }
                try await trial.expectMatches([number], text) { $0.string.hasPrefix(text) }
                try await trial.expectMatches([number], text) { $0.string.equalsIgnoringCase(text) }
            }
            try await trial.expectMatches([0]) { $0.string.contains("%") }
            try await trial.expectMatches([1]) { $0.string.contains("_") }
            try await trial.expectMatches([5]) { $0.string.contains("\\") }
        },
        query("text.case", "A search is case-sensitive by default.") { trial in
            try await trial.store(["Abc", "aBC", "xabcx", nil]) { $0.string = $1 }
            try await trial.expectMatches([]) { $0.string.contains("ABC") }
            try await trial.expectMatches([0, 1, 2]) {
                $0.string.contains("ABC", ignoringCase: true)
            }
            try await trial.expectMatches([0, 1]) { $0.string.hasPrefix("AB", ignoringCase: true) }
            try await trial.expectMatches([0, 1]) { $0.string.equalsIgnoringCase("ABC") }
            try await trial.expectMatches([0]) { $0.string.hasPrefix("Ab") }
        },
        query("text.folding", "Case folding works for all scripts and maps single scalars.") {
            trial in
            let texts = ["ÉCOLE", "école", "ΣΊΣΥΦΟΣ", "σίσυφος", "ЖУК", "жук", "ǅ", "\u{212A}"]
            try await trial.store(texts) { $0.string = $1 }
            try await trial.expectMatches([0, 1]) { $0.string.equalsIgnoringCase("École") }
            try await trial.expectMatches([2, 3]) { $0.string.equalsIgnoringCase("Σίσυφοσ") }
            try await trial.expectMatches([4, 5]) { $0.string.contains("уК", ignoringCase: true) }
            try await trial.expectMatches([6]) { $0.string.equalsIgnoringCase("ǆ") }
            try await trial.expectMatches([7]) { $0.string.equalsIgnoringCase("k") }
        },
        query(
            "text.simpleFolding",
            "Case folding keeps the length and is independent of the language."
        ) { trial in
            try await trial.store(["straße", "STRASSE", "İ", "I", "ı", "i"]) { $0.string = $1 }
            try await trial.expectMatches([0]) { $0.string.equalsIgnoringCase("STRAßE") }
            try await trial.expectMatches([1]) { $0.string.equalsIgnoringCase("strasse") }
            try await trial.expectMatches([3, 5]) { $0.string.equalsIgnoringCase("I") }
            try await trial.expectMatches([2]) { $0.string.equalsIgnoringCase("İ") }
            try await trial.expectMatches([4]) { $0.string.equalsIgnoringCase("ı") }
        },
        query("text.forms", "Case folding does not normalise: Unicode forms remain distinct.") {
            trial in
            try await trial.store(["É", "E\u{301}"]) { $0.string = $1 }
            try await trial.expectMatches([0]) { $0.string.equalsIgnoringCase("\u{E9}") }
            try await trial.expectMatches([1]) { $0.string.equalsIgnoringCase("e\u{301}") }
            try await trial.expectMatches([1]) { $0.string.contains("e", ignoringCase: true) }
        },
        query("text.parts", "A search can match a part of a grapheme cluster.") { trial in
            try await trial.store(["👨‍👩‍👧", "e\u{301}", "🇩🇪"]) { $0.string = $1 }
            try await trial.expectMatches([0]) { $0.string.contains("👩") }
            try await trial.expectMatches([1]) { $0.string.contains("e") }
            try await trial.expectMatches([1]) { $0.string.contains("\u{301}") }
            try await trial.expectMatches([2]) { $0.string.hasPrefix("\u{1F1E9}") }
        },
        query("text.repeats", "A search finds a match after a partial one.") { trial in
            try await trial.store(["aaab", "aabaaab", "abababac", "aaaa"]) { $0.string = $1 }
            try await trial.expectMatches([0, 1]) { $0.string.contains("aaab") }
            try await trial.expectMatches([2]) { $0.string.contains("ababac") }
        },
        query("text.long", "A search covers the whole of a long string.") { trial in
            let long = String(repeating: "é", count: 5_000)
            try await trial.store([long, long + "x", "x" + long]) { $0.string = $1 }
            try await trial.expectMatches([1, 2]) { $0.string.contains("x") }
            try await trial.expectMatches([1]) { $0.string.contains("éx") }
            try await trial.expectMatches([0, 1]) { $0.string.hasPrefix(long) }
            try await trial.expectMatches([0]) { $0.string == long }
        },
    ]
}
