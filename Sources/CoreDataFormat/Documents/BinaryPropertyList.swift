internal import Foundation

/// A binary property list (`bplist00`), read object by object.
///
/// Foundation's reader returns the references of keyed archives as an opaque class. Objects may be
/// shared, so that a small file can represent an unlimited tree: this reader follows no reference.
///
/// The file consists of a header of 8 bytes, the objects, the offset table, and a trailer of 32
/// bytes: at byte 6 the width of offsets, at byte 7 the width of references, and from byte 8 the
/// number of objects, the number of the top-level object, and the offset of the offset table.
struct BinaryPropertyList {
    /// An object, with the numbers of the objects in it.
    enum ListObject {
        case null
        case bool(Bool)
        case integer(Int128)
        case real(Double)
        /// Seconds since 2001.
        case date(Double)
        case data(Data)
        case string(String)
        /// A reference of a keyed archive.
        case reference(Int)
        case list([Int])
        case set([Int])
        case dictionary(keys: [Int], values: [Int])
    }

    /// The number of the top-level object.
    let top: Int
    /// The number of bytes of the file.
    var byteCount: Int { bytes.count }

    private let bytes: [UInt8]
    private let offsetWidth: Int
    private let referenceWidth: Int
    private let objectCount: Int
    private let table: Int

    private static let malformed = CoreDataFileError(
        .damaged, "The binary property list is damaged.")

    /// Checks the header and the trailer.
    ///
    /// - Throws: ``CoreDataFileError``.
    init(_ bytes: [UInt8]) throws(CoreDataFileError) {
        guard bytes.count >= 40, bytes.starts(with: "bplist0".utf8) else { throw Self.malformed }
        let trailer = bytes.count - 32
        func number(at offset: Int) -> Int {
            let value = bytes[trailer + offset..<trailer + offset + 8].reduce(UInt64(0)) {
                $0 << 8 | UInt64($1)
            }
            return Int(exactly: value) ?? -1
        }
        self.bytes = bytes
        offsetWidth = Int(bytes[trailer + 6])
        referenceWidth = Int(bytes[trailer + 7])
        objectCount = number(at: 8)
        top = number(at: 16)
        table = number(at: 24)
        guard (1...8).contains(offsetWidth), (1...8).contains(referenceWidth),
            (8...trailer).contains(table), (1...trailer).contains(objectCount),
            objectCount * offsetWidth <= trailer - table, (0..<objectCount).contains(top)
        else { throw Self.malformed }
    }

    /// Reads a big-endian number.
    private func number(at start: Int, _ width: Int) throws(CoreDataFileError) -> UInt64 {
        guard start >= 8, width <= table - start else { throw Self.malformed }
        return bytes[start..<start + width].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns an object.
    ///
    /// - Throws: ``CoreDataFileError`` if it is not well-formed.
    func object(_ number: Int) throws(CoreDataFileError) -> ListObject {
        guard (0..<objectCount).contains(number) else { throw Self.malformed }
        let entry = table + number * offsetWidth
        let offset = bytes[entry..<entry + offsetWidth].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let place = Int(exactly: offset), (8..<table).contains(place) else {
            throw Self.malformed
        }
        let kind = bytes[place] >> 4
        let low = Int(bytes[place] & 15)
        switch (kind, low) {
        case (0, 0): return .null
        case (0, 8), (0, 9): return .bool(low == 9)
        case (1, _): return .integer(try integer(at: place + 1, low))
        case (2, 2):
            let bits = UInt32(truncatingIfNeeded: try self.number(at: place + 1, 4))
            return .real(Double(Float(bitPattern: bits)))
        case (2, 3): return .real(Double(bitPattern: try self.number(at: place + 1, 8)))
        case (3, 3): return .date(Double(bitPattern: try self.number(at: place + 1, 8)))
        case (8, 0...7):
            guard let found = Int(exactly: try self.number(at: place + 1, low + 1)) else {
                throw Self.malformed
            }
            return .reference(found)
        case (4...6, _), (10, _), (12, _), (13, _): break
        default: throw Self.malformed
        }
        let (start, count) = try extent(place, low)
        switch kind {
        case 4: return .data(Data(try slice(start, count, 1)))
        case 5:
            let ascii = try slice(start, count, 1)
            guard ascii.allSatisfy({ $0 < 128 }) else { throw Self.malformed }
            return .string(String(decoding: ascii, as: UTF8.self))
        case 6:
            let pairs = try slice(start, count, 2)
            let units = (0..<count).map {
                UInt16(pairs[start + 2 * $0]) << 8 | UInt16(pairs[start + 2 * $0 + 1])
            }
            return .string(String(decoding: units, as: UTF16.self))
        case 10: return .list(try references(start, count))
        case 12: return .set(try references(start, count))
        default:
            let all = try references(start, count, times: 2)
            return .dictionary(keys: Array(all[..<count]), values: Array(all[count...]))
        }
    }

    /// Reads an integer of 2ⁿ bytes. Those of less than 8 bytes are unsigned.
    private func integer(at start: Int, _ power: Int) throws(CoreDataFileError) -> Int128 {
        switch power {
        case 0...2: return Int128(try number(at: start, 1 << power))
        case 3: return Int128(Int64(bitPattern: try number(at: start, 8)))
        case 4:
            let high = Int64(bitPattern: try number(at: start, 8))
            return Int128(high) << 64 | Int128(try number(at: start + 8, 8))
        default: throw Self.malformed
        }
    }

    /// Returns where the contents of an object begin, and the number of its elements.
    private func extent(_ place: Int, _ low: Int) throws(CoreDataFileError) -> (Int, Int) {
        guard low == 15 else { return (place + 1, low) }
        guard place + 1 < table, bytes[place + 1] >> 4 == 1 else { throw Self.malformed }
        let power = Int(bytes[place + 1] & 15)
        guard power <= 3,
            let count = Int(exactly: try integer(at: place + 2, power)), count >= 0
        else { throw Self.malformed }
        return (place + 2 + 1 << power, count)
    }

    private func slice(
        _ start: Int, _ count: Int, _ width: Int
    ) throws(CoreDataFileError) -> ArraySlice<UInt8> {
        guard start <= table, count <= (table - start) / width else { throw Self.malformed }
        return bytes[start..<start + count * width]
    }

    private func references(
        _ start: Int, _ count: Int, times: Int = 1
    ) throws(CoreDataFileError) -> [Int] {
        let width = referenceWidth
        let part = try slice(start, count, width * times)
        var numbers: [Int] = []
        numbers.reserveCapacity(count * times)
        for index in 0..<count * times {
            let from = start + index * width
            let value = part[from..<from + width].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            guard let number = Int(exactly: value) else { throw Self.malformed }
            numbers.append(number)
        }
        return numbers
    }
}
