import Foundation

/// How much memory of the machine the program holds.
enum ResidentMemory {
    /// In bytes.
    static func now() throws -> Int {
        #if canImport(Darwin)
            var info = mach_task_basic_info()
            var count = mach_msg_type_number_t(
                MemoryLayout<mach_task_basic_info>.size / MemoryLayout<natural_t>.size)
            let code = withUnsafeMutablePointer(to: &info) { pointer in
                pointer.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
                    task_info(mach_task_self_, task_flavor_t(MACH_TASK_BASIC_INFO), $0, &count)
                }
            }
            guard code == KERN_SUCCESS else { throw POSIXError(.EIO) }
            return Int(info.resident_size)
        #else
            let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
            let fields = text.split(separator: " ")
            guard fields.count > 1, let pages = Int(fields[1]) else { throw POSIXError(.EIO) }
            return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
        #endif
    }
}
