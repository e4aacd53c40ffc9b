/// The decryption of AES with a key of 256 bits (FIPS 197), in CBC mode without padding.
///
/// It decrypts files of other programs with the user's key. It does not resist an attacker on the
/// same processor who measures the time of its table lookups.
struct AES256: Sendable {
    /// The keys of the rounds of the equivalent inverse cipher, in the order of decryption.
    private let roundKeys: [UInt32]

    /// - Parameter key: 32 bytes.
    init(key: ArraySlice<UInt8>) {
        let tables = Self.tables
        func substituted(_ word: UInt32) -> UInt32 {
            (0..<4).reduce(0) {
                $0 | UInt32(tables.forward[Int(word >> (8 * $1) & 0xFF)]) << (8 * $1)
            }
        }
        let bytes = Array(key)
        var words = (0..<8).map { word in
            (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[4 * word + $1]) }
        }
        var constant: UInt32 = 1
        for index in 8..<60 {
            var word = words[index - 1]
            if index % 8 == 0 {
                word = substituted(word << 8 | word >> 24) ^ constant << 24
                constant <<= 1
            } else if index % 8 == 4 {
                word = substituted(word)
            }
            words.append(words[index - 8] ^ word)
        }
        // The rounds in between mix their columns before the key is added.
        roundKeys = (0..<60).map { index in
            let round = 14 - index / 4
            let word = words[4 * round + index % 4]
            guard 0 < round, round < 14 else { return word }
            return (0..<4).reduce(0) { mixed, row in
                let byte = tables.forward[Int(word >> (24 - 8 * row) & 0xFF)]
                return mixed ^ tables.inverse[row * 256 + Int(byte)]
            }
        }
    }

    /// Decrypts whole blocks of 16 bytes.
    func decrypt(
        _ bytes: UnsafeRawBufferPointer, vector: [UInt8], into output: UnsafeMutableRawBufferPointer
    ) {
        let tables = Self.tables
        tables.inverse.withUnsafeBufferPointer { mix in
            tables.backward.withUnsafeBufferPointer { box in
                roundKeys.withUnsafeBufferPointer { keys in
                    vector.withUnsafeBytes { vector in
                        for start in stride(from: 0, to: bytes.count, by: 16) {
                            decryptBlock(
                                bytes, start, start == 0 ? vector : bytes,
                                start == 0 ? 0 : start - 16, mix, box, keys, output)
                        }
                    }
                }
            }
        }
    }

    private func decryptBlock(
        _ bytes: UnsafeRawBufferPointer, _ start: Int, _ before: UnsafeRawBufferPointer,
        _ beforeStart: Int, _ mix: UnsafeBufferPointer<UInt32>,
        _ box: UnsafeBufferPointer<UInt8>, _ keys: UnsafeBufferPointer<UInt32>,
        _ output: UnsafeMutableRawBufferPointer
    ) {
        func word(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> UInt32 {
            UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self))
        }
        var (a, b) = (word(bytes, start) ^ keys[0], word(bytes, start + 4) ^ keys[1])
        var (c, d) = (word(bytes, start + 8) ^ keys[2], word(bytes, start + 12) ^ keys[3])
        func column(_ w: UInt32, _ x: UInt32, _ y: UInt32, _ z: UInt32, _ key: UInt32) -> UInt32 {
            mix[Int(w >> 24)] ^ mix[256 + Int(x >> 16 & 0xFF)] ^ mix[512 + Int(y >> 8 & 0xFF)]
                ^ mix[768 + Int(z & 0xFF)] ^ key
        }
        for round in 1..<14 {
            let key = 4 * round
            (a, b, c, d) = (
                column(a, d, c, b, keys[key]), column(b, a, d, c, keys[key + 1]),
                column(c, b, a, d, keys[key + 2]), column(d, c, b, a, keys[key + 3])
            )
        }
        func last(_ w: UInt32, _ x: UInt32, _ y: UInt32, _ z: UInt32, _ index: Int) {
            let high = UInt32(box[Int(w >> 24)]) << 24 | UInt32(box[Int(x >> 16 & 0xFF)]) << 16
            let low = UInt32(box[Int(y >> 8 & 0xFF)]) << 8 | UInt32(box[Int(z & 0xFF)])
            let plain = (high | low) ^ keys[56 + index] ^ word(before, beforeStart + 4 * index)
            output.storeBytes(
                of: plain.bigEndian, toByteOffset: start + 4 * index, as: UInt32.self)
        }
        last(a, d, c, b, 0)
        last(b, a, d, c, 1)
        last(c, b, a, d, 2)
        last(d, c, b, a, 3)
    }

    private struct Tables: Sendable {
        /// The substitution of bytes, and its inverse.
        var forward = [UInt8](repeating: 0, count: 256)
        var backward = [UInt8](repeating: 0, count: 256)
        /// For each row the inverse substitution of a byte, multiplied with a column of the matrix.
        var inverse = [UInt32](repeating: 0, count: 1024)

        init() {
            func double(_ byte: UInt8) -> UInt8 { byte << 1 ^ (byte & 0x80 == 0 ? 0 : 0x1B) }
            func product(_ byte: UInt8, _ factor: UInt8) -> UInt32 {
                var (result, power) = (UInt8(0), byte)
                for bit in 0..<4 {
                    if factor >> bit & 1 == 1 { result ^= power }
                    power = double(power)
                }
                return UInt32(result)
            }
            func rotated(_ byte: UInt8, _ count: UInt8) -> UInt8 {
                byte << count | byte >> (8 - count)
            }
            // `power` runs through all bytes but 0 as the powers of 3, `reciprocal` as those of 1/3.
            var (power, reciprocal) = (UInt8(1), UInt8(1))
            repeat {
                power ^= double(power)
                reciprocal ^= reciprocal << 1
                reciprocal ^= reciprocal << 2
                reciprocal ^= reciprocal << 4
                if reciprocal & 0x80 != 0 { reciprocal ^= 0x09 }
                forward[Int(power)] =
                    reciprocal ^ rotated(reciprocal, 1) ^ rotated(reciprocal, 2)
                    ^ rotated(reciprocal, 3) ^ rotated(reciprocal, 4) ^ 0x63
            } while power != 1
            forward[0] = 0x63
            for byte in 0..<256 { backward[Int(forward[byte])] = UInt8(byte) }
            for byte in 0..<256 {
                let plain = backward[byte]
                let column =
                    product(plain, 14) << 24 | product(plain, 9) << 16 | product(plain, 13) << 8
                    | product(plain, 11)
                for row in 0..<4 {
                    let turn = UInt32(8 * row)
                    inverse[256 * row + byte] =
                        turn == 0 ? column : column >> turn | column << (32 - turn)
                }
            }
        }
    }

    private static let tables = Tables()
}
