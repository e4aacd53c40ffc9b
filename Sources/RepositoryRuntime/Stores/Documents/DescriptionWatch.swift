internal import CFileAccess
internal import Foundation
internal import Synchronization

/// A driver that tells readers without a call to the system whether any process has changed the
/// description of the store.
protocol WatchedDriver: DocumentDriver {
    /// The number that every change of the description changes, before documents change.
    var descriptionWatch: DescriptionWatch { get }
    /// Begins to watch the description. The caller holds the lock.
    func watchDescription() throws
}

/// A number that differs after every change of the description of a store by any process: eight
/// bytes of a file that is mapped into memory.
///
/// Writers write to the file. Reading the number costs as much as reading a variable.
final class DescriptionWatch: Sendable {
    /// The number of bytes of the file.
    static let size = 8
    /// The address of the mapped number; 0 before ``map(_:)``.
    private let address = Atomic<UInt>(0)
    /// All addresses, because a reader may still use an earlier one.
    private let mapped = Mutex<[UInt]>([])

    deinit {
        for address in mapped.withLock(\.self) {
            munmap(UnsafeMutableRawPointer(bitPattern: address), Self.size)
        }
    }

    /// The number; 0 while nothing is watched.
    var value: UInt64 {
        guard let pointer = UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring))
        else { return 0 }
        return file_access_load(pointer)
    }

    /// Maps an open file, which has all bytes. Returns an error number if that is not possible.
    func map(_ file: Int32) -> Int32? {
        let pointer = mmap(nil, Self.size, PROT_READ, MAP_SHARED, file, 0)
        guard let pointer, pointer != MAP_FAILED else { return errno }
        let new = UInt(bitPattern: pointer)
        mapped.withLock { $0.append(new) }
        address.store(new, ordering: .releasing)
        return nil
    }
}
