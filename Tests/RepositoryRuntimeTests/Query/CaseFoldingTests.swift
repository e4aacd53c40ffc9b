import StoredSchema
import Testing

@testable import RepositoryRuntime

/// Simple case folding, by `CaseFolding.txt`.
@Suite struct CaseFoldingTests {
    @Test func foldsScalarsToOneScalarEach() {
        let pairs: [(String, String)] = [
            ("AZaz09[`", "azaz09[`"), ("ÀÉÞ", "àéþ"), ("ß\u{1E9E}", "ßß"), ("Σσς", "σσσ"),
            ("\u{17F}\u{212A}\u{212B}", "sk\u{E5}"), ("İıI", "İıi"), ("\u{B5}", "\u{3BC}"),
            ("\u{345}\u{1FBE}", "\u{3B9}\u{3B9}"), ("\u{1FBC}\u{1FB3}", "\u{1FB3}\u{1FB3}"),
            ("\u{390}\u{1FD3}", "\u{390}\u{390}"), ("\u{FB05}", "\u{FB06}"), ("ŉǰ", "ŉǰ"),
            ("\u{13A0}\u{AB70}\u{13F8}\u{13F0}", "\u{13A0}\u{13A0}\u{13F0}\u{13F0}"),
            ("\u{10A0}\u{1C90}\u{10D0}", "\u{2D00}\u{10D0}\u{10D0}"), ("\u{10400}", "\u{10428}"),
            ("ДЖǅ", "джǆ"), ("😀漢", "😀漢"), ("", ""),
        ]
        for (text, folded) in pairs {
            #expect(Array(CaseFolding.folded(text).utf8) == Array(folded.utf8), "\(text)")
        }
    }

    @Test func foldsWhatIsFoldedToItself() {
        for value in UInt32(0)...0x1FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let folded = CaseFolding.folded(scalar)
            #expect(CaseFolding.folded(folded) == folded)
        }
    }
}
