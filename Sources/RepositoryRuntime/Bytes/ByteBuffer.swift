internal import Foundation

/// An append-only byte buffer for writers: one block of memory, whose capacity doubles when it is
/// full.
///
/// The memory is managed manually. The owner has to call ``takeData()`` or ``discard()``, and must
/// not use copies independently.
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

    /// The bytes written. The pointer is valid until the next change.
    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

    /// Returns the bytes as `Data` without copying them. The buffer must not be used afterwards.
    func takeData() -> Data {
        Data(
            bytesNoCopy: start, count: count,
            deallocator: .custom { memory, _ in memory.deallocate() })
    }

    /// Frees the memory. The buffer must not be used afterwards.
    func discard() {
        start.deallocate()
    }

    /// Ensures that `extra` bytes can be appended.
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

    mutating func append(_ data: Data) {
        data.withUnsafeBytes { bytes in
            guard let base = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
            append(base, count: bytes.count)
        }
    }

    /// Appends a string as UTF-8.
    mutating func append(text: String) {
        text.withUTF8Bytes { utf8 in
            if let base = utf8.baseAddress { append(base, count: utf8.count) }
        }
    }

    /// Appends an integer as `width` bytes (1 to 8) in big-endian order.
    @inline(__always)
    mutating func append(bigEndian value: UInt64, width: Int) {
        // All eight bytes are written. The next append overwrites those after `width`.
        reserve(8)
        let word = (value << UInt64(truncatingIfNeeded: 64 - width * 8)).bigEndian
        UnsafeMutableRawPointer(next).storeBytes(of: word, as: UInt64.self)
        next += width
    }

    /// Lets a closure write at most `capacity` bytes. The closure returns the number of bytes
    /// written.
    @inline(__always)
    mutating func append(capacity: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int) {
        reserve(capacity)
        next += body(next)
    }

    /// Replaces a byte that was written before.
    @inline(__always)
    mutating func set(_ byte: UInt8, at offset: Int) {
        start[offset] = byte
    }

    /// Moves the bytes from `offset` on by `gap` bytes. The caller has to set the bytes in between.
    mutating func open(_ gap: Int, at offset: Int) {
        reserve(gap)
        memmove(start + offset + gap, start + offset, count - offset)
        next += gap
    }
}

extension ByteBuffer {
    /// Appends the decimal digits of an integer, with a sign if it is negative.
    mutating func append(decimal value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        append(decimal: value.magnitude)
    }

    /// Appends the decimal digits of an integer.
    mutating func append(decimal value: UInt64) {
        append(capacity: 20) { Decimals.write(value, to: $0) }
    }
}

extension String {
    /// Calls a closure with the string's UTF-8 bytes, without copying them if they are contiguous.
    @inline(__always)
    func withUTF8Bytes<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R {
        if let result = try utf8.withContiguousStorageIfAvailable(body) { return result }
        var native = self
        return try native.withUTF8(body)
    }
}

/// The decimal digits of integers.
enum Decimals {
    /// Writes the digits. Returns their number, which is at most 20.
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
