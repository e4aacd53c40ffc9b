internal import StoredSchema

/// The HMAC (RFC 2104) over SHA-224 of FIPS 180-4.
enum SHA224 {
    /// Returns the HMAC of bytes, of 28 bytes.
    ///
    /// - Parameter key: at most 64 bytes.
    static func authenticationCode(of bytes: UnsafeRawBufferPointer, key: [UInt8]) -> [UInt8] {
        func digest(_ pad: UInt8, _ bytes: UnsafeRawBufferPointer) -> [UInt8] {
            var stream = SHA256Stream.sha224()
            (0..<64).map { ($0 < key.count ? key[$0] : 0) ^ pad }
                .withUnsafeBytes { stream.append($0) }
            stream.append(bytes)
            return Array(stream.finish().prefix(28))
        }
        return digest(0x36, bytes).withUnsafeBytes { digest(0x5C, $0) }
    }
}
