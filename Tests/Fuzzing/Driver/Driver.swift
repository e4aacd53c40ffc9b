internal import Foundation
internal import FuzzTargets

/// The target that the environment's `FUZZ` names.
private let target: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["FUZZ"] ?? ""
    guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
        let names = FuzzTarget.all.map(\.name).joined(separator: ", ")
        FileHandle.standardError.write(Data("FUZZ is one of \(names), not '\(name)'.\n".utf8))
        exit(64)
    }
    return target
}()

/// What libFuzzer calls with each input; a flaw ends the program, so that the input is kept.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    if let flaw = target.flaw(Array(UnsafeBufferPointer(start: start, count: count))) {
        FileHandle.standardError.write(Data("\(flaw)\n".utf8))
        abort()
    }
    return 0
}
