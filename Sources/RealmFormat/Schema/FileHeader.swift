/// The header of a file: which state is the committed one.
struct FileHeader: Equatable {
    /// The version of the file format.
    let format: Int
    /// The ref of the top array; 0 if nothing was ever committed.
    let topRef: UInt64
    /// Whether the file was written in one go.
    let isStreamed: Bool

    init(_ pages: DataPages) throws(RealmFileError) {
        let cache = BlockCache(pages)
        let size = pages.size
        guard size >= 24 else {
            throw RealmFileError(.notRealm, "too small (\(size) bytes) for a Realm file")
        }
        let header = try cache.bytes(0..<24)
        guard header[16..<20].elementsEqual("T-DB".utf8) else {
            throw RealmFileError(
                .notRealm, "no Realm header: not a Realm file, or encrypted and no key was given")
        }
        let slot = Int(header[23] & 1)
        format = Int(header[20 + slot])
        var ref = Self.word(header, 8 * slot)
        isStreamed = slot == 0 && ref == .max
        if isStreamed {
            guard size % 8 == 0, size >= 40 else {
                throw .damaged("streamed form, and the file is cut off")
            }
            let footer = try cache.bytes(size - 16..<size)
            guard Self.word(footer, 8) == 0x3034_1252_37E5_26C8 else {
                throw .damaged("streamed form without its footer: the file is cut off")
            }
            ref = Self.word(footer, 0)
        }
        guard ref == 0 || ref & 7 == 0 && ref < UInt64(size) else {
            throw .damaged("the top ref is outside of the file: the file is cut off or damaged")
        }
        topRef = ref
        guard topRef == 0 || 2...11 ~= format || 20...24 ~= format else {
            throw RealmFileError(.unknownFormat, "file format \(format) is not known")
        }
    }

    private static func word(_ bytes: [UInt8], _ start: Int) -> UInt64 {
        bytes.withUnsafeBytes {
            UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: start, as: UInt64.self))
        }
    }
}
