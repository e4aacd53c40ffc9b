internal import Mustache

/// The render context of the types of old versions and of the protocol of the migration functions.
struct VersionsLayer {
    /// The access level followed by a space, or an empty string.
    var access: String
    /// The name of the enum that holds the versions: `LibraryVersions`.
    var name: String
    /// The name of the protocol: `LibraryMigrations`.
    var protocolName: String
    /// The name of the set's type.
    var setName: String
    /// Whether the program passes the functions to the initialiser of the set. If not, the settings
    /// name the type that implements them.
    var isPassed: Bool
    /// The requirements of the protocol with their documentation, one line each.
    var functions: [String]
    /// The elements of the dictionary of functions, one line each.
    var calls: [String]
    /// The elements of the dictionary of functions over several tables, one line each.
    var tableCalls: [String]
    /// The declarations of the types, one line each.
    var types: [String]
}

extension [String] {
    /// Joins the lines as ``block(_:)`` does, without spaces in empty lines.
    fileprivate func spacedBlock(_ indentation: Int) -> String {
        let space = String(repeating: " ", count: indentation)
        return enumerated().map { $0 == 0 || $1.isEmpty ? $1 : space + $1 }
            .joined(separator: "\n")
    }
}

extension VersionsLayer: MemberLayer {
    static let members = Members<Self, Any>([
        "access": { $0.access },
        "name": { $0.name },
        "protocolName": { $0.protocolName },
        "setName": { $0.setName },
        "isPassed": { $0.isPassed },
        "functions": { $0.functions.spacedBlock(4) },
        "hasCalls": { !$0.calls.isEmpty },
        "calls": { $0.calls.spacedBlock(12) },
        "hasTableCalls": { !$0.tableCalls.isEmpty },
        "tableCalls": { $0.tableCalls.spacedBlock(12) },
        "types": { $0.types.spacedBlock(4) },
    ])
}
