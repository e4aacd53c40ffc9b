package import Foundation
internal import RepositoryTesting

/// The bytes of a photo, by the number in its title.
package enum NumberedPicture {
    /// The number of bytes: none, a part of a chunk, or several chunks.
    package static func size(_ number: Int) -> Int {
        number % 11 == 0 ? 0 : number * 79_193 % 700_001
    }

    /// The bytes.
    package static func bytes(_ number: Int) -> Data {
        var random = SeededGenerator(seed: UInt64(number))
        var data = Data(capacity: size(number) + 8)
        while data.count < size(number) {
            withUnsafeBytes(of: random.next()) { data.append(contentsOf: $0) }
        }
        return data.prefix(size(number))
    }
}
