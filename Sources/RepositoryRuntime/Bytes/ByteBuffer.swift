internal import Foundation

/// Bytes that a writer appends to: one block of memory that grows by doubling.
///
/// It is not managed: whoever makes one ends with ``takeData()`` or ``discard()``, and copies are not used apart.
struct ByteBuffer {
    private var start: UnsafeMutablePointer<UInt8>
    private var next: UnsafeMutablePointer<UInt8>
    private var limit: UnsafeMutablePointer<UInt8>

    init(capacity: Int = 512) {
        start = UnsafeMutablePointer.allocate(capacity: capacity)
        next = start
        limit = start + capacity
    }

    /// The number of bytes written.
    var count: Int { next - start }

    /// The bytes written, until the next change.
    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

    /// Hands the bytes over; the buffer is not used after that.
    func takeData() -> Data {
        Data(
            bytesNoCopy: start, count: count,
            deallocator: .custom { memory, _ in memory.deallocate() })
    }

    /// Frees the bytes; the buffer is not used after that.
    func discard() {
        start.deallocate()
    }

    /// Makes room for `extra` bytes.
    @inline(__always)
    mutating func reserve(_ extra: Int) {
        if limit - next < extra { grow(extra) }
    }

    @inline(never)
    private mutating func grow(_ extra: Int) {
        let capacity = max((limit - start) * 2, count + extra)
        let block = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        let count = count
        block.update(from: start, count: count)
        start.deallocate()
        start = block
        next = block + count
        limit = block + capacity
    }
}

extension ByteBuffer {
    @inline(__always)
    mutating func append(_ byte: UInt8) {
        reserve(1)
        next.pointee = byte
        next += 1
    }

    @inline(__always)
    mutating func append(_ source: UnsafePointer<UInt8>, count: Int) {
        reserve(count)
        next.update(from: source, count: count)
        next += count
    }

    mutating func append(_ text: StaticString) {
        append(text.utf8Start, count: text.utf8CodeUnitCount)
    }

    mutating func append(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { append(byte) }
    }

    /// Appends text as UTF-8.
    mutating func append(text: String) {
        text.withUTF8Bytes { utf8 in
            if let base = utf8.baseAddress { append(base, count: utf8.count) }
        }
    }

    /// Appends an integer of `width` bytes, 1 to 8, the highest first.
    @inline(__always)
    mutating func append(bigEndian value: UInt64, width: Int) {
        // All eight are written, of which the next ones overwrite those behind `width`.
        reserve(8)
        let word = (value << UInt64(truncatingIfNeeded: 64 - width * 8)).bigEndian
        UnsafeMutableRawPointer(next).storeBytes(of: word, as: UInt64.self)
        next += width
    }

    /// Lets `body` write at most `capacity` bytes and say how many it wrote.
    @inline(__always)
    mutating func append(capacity: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int) {
        reserve(capacity)
        next += body(next)
    }

    /// Replaces a byte already written.
    @inline(__always)
    mutating func set(_ byte: UInt8, at offset: Int) {
        start[offset] = byte
    }

    /// Moves what stands from `offset` on by `gap` bytes, which are then to be set.
    mutating func open(_ gap: Int, at offset: Int) {
        reserve(gap)
        memmove(start + offset + gap, start + offset, count - offset)
        next += gap
    }
}

extension ByteBuffer {
    /// Appends decimal digits, with a sign where there is one.
    mutating func append(decimal value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        append(decimal: value.magnitude)
    }

    /// Appends decimal digits.
    mutating func append(decimal value: UInt64) {
        append(capacity: 20) { Decimals.write(value, to: $0) }
    }
}

extension String {
    /// Gives the text's UTF-8 to `body`, without a copy of the text where it has it.
    @inline(__always)
    func withUTF8Bytes<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R {
        if let result = try utf8.withContiguousStorageIfAvailable(body) { return result }
        var native = self
        return try native.withUTF8(body)
    }
}

/// Decimal digits of integers.
enum Decimals {
    /// Writes the digits and returns how many there are, 20 at most.
    @inline(__always)
    static func write(_ value: UInt64, to target: UnsafeMutablePointer<UInt8>) -> Int {
        let count = digits(value)
        var rest = value
        var position = count
        repeat {
            position -= 1
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            target[position] = UInt8(truncatingIfNeeded: 48 &+ digit)
            rest = quotient
        } while rest != 0
        return count
    }

    @inline(__always)
    private static func digits(_ value: UInt64) -> Int {
        var count = 1
        var rest = value
        while rest >= 10_000 {
            rest /= 10_000
            count += 4
        }
        return rest < 10 ? count : rest < 100 ? count + 1 : rest < 1_000 ? count + 2 : count + 3
    }
}
