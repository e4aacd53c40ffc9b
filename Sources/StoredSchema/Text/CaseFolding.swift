/// Simple case folding (Unicode Standard, section 5.18.4; `CaseFolding.txt`, statuses C and S). It
/// maps single scalars, independently of the language.
package enum CaseFolding {
    /// Returns the folded string. Folding is done scalar by scalar, so it takes linear time.
    ///
    /// Folding never changes the number of scalars: `ß` is unchanged, so `Straße` does not match
    /// `STRASSE`.
    package static func folded(_ text: String) -> String {
        var result = ""
        result.unicodeScalars.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars { result.unicodeScalars.append(folded(scalar)) }
        return result
    }

    /// Returns the folded scalar.
    ///
    /// The standard library has no folding table. The result is the lower-case mapping of the
    /// upper-case mapping if both are single scalars, except for the scalars listed here.
    package static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        if scalar.isASCII {
            return (0x41...0x5A).contains(scalar.value)
                ? Unicode.Scalar(UInt8(scalar.value) + 0x20) : scalar
        }
        switch scalar.value {
        // Cherokee folds to upper case, because the upper-case letters were encoded first.
        case 0x13A0...0x13F5: return scalar
        case 0x13F8...0x13FD: return moved(scalar, to: scalar.value - 8)
        case 0xAB70...0xABBF: return moved(scalar, to: scalar.value - 0xAB70 + 0x13A0)
        // Canonically equivalent to iota, so `changesWhenCaseFolded` does not include it.
        case 0x1FBE: return moved(scalar, to: 0x03B9)
        // Compatibility characters, whose upper case consists of several scalars.
        case 0x1FD3: return moved(scalar, to: 0x0390)
        case 0x1FE3: return moved(scalar, to: 0x03B0)
        case 0xFB05: return moved(scalar, to: 0xFB06)
        default: break
        }
        guard scalar.properties.changesWhenCaseFolded else { return scalar }
        let upper = single(scalar.properties.uppercaseMapping) ?? scalar
        return single(upper.properties.lowercaseMapping) ?? scalar
    }

    /// Returns the scalar with a given value, or the original if the value is not a scalar.
    private static func moved(_ scalar: Unicode.Scalar, to value: UInt32) -> Unicode.Scalar {
        Unicode.Scalar(value) ?? scalar
    }

    /// Returns the only scalar of a string; nil if there are several or none.
    private static func single(_ text: String) -> Unicode.Scalar? {
        let scalars = text.unicodeScalars
        return scalars.count == 1 ? scalars.first : nil
    }
}
