internal import RepositoryGeneratorCore
internal import RepositorySchema

/// The names of types, each of which is given once.
struct TypeNames {
    let refusals: [SchemaPart: String]
    private var taken: Set<String> = []

    init(refusals: [SchemaPart: String]) { self.refusals = refusals }

    /// Returns the name of the set for that of a file.
    func setName(of source: String) -> String {
        let fileName = source.split(separator: ".").first.map(String.init) ?? source
        let name = ImportedName.set(fileName)
        return isTaken(name) || refusals[.setName] != nil ? name + "Records" : name
    }

    func isTaken(_ name: String) -> Bool { taken.contains(name.lowercased()) }

    /// Gives a name to the type of an origin.
    mutating func add(_ wanted: String, _ origin: String) -> String {
        let isBaseType =
            BaseType(rawValue: wanted) != nil || ["UInt", "UInt64"].contains(wanted)
        let isRefused = isBaseType || refusals[.entityName(origin)] != nil
        let name = ImportedName.unique(isRefused ? wanted + "Record" : wanted, isTaken)
        taken.insert(name.lowercased())
        return name
    }
}
