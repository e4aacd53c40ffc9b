package import RepositorySchema

/// A function of the generated protocol that migrates stored data, with the changes that it carries
/// out.
package struct MigrationFunction: Sendable, Hashable {
    /// The name: `bookPriceTo4`.
    package var name: String
    /// What the function gets.
    package var subject: Subject
    /// The changes that it carries out, in their order.
    package var changes: [SchemaChange]

    /// What a function gets.
    package enum Subject: Sendable, Hashable {
        /// The value of a field of a declaration: `["price"]`, and `["photo", "caption"]` in a case of
        /// a union.
        case field(declaration: String, path: [String])
        /// Whole records of an entity.
        case record(String)
        /// The tables of several entities.
        case tables([String])
    }
}

/// The names of the functions that migrate stored data.
package enum MigrationFunctionName {
    /// Returns the name of the function of a field: `bookPriceTo4`.
    ///
    /// - Parameters:
    ///   - declaration: The present name of the entity, value or union.
    ///   - path: The present name of the field, after that of its case in a union.
    ///   - number: The number of the version that has the change.
    package static func field(_ declaration: String, _ path: [String], to number: Int) -> String {
        Naming.lowerCamelCase(declaration) + path.map(\.capitalizedFirst).joined() + "To\(number)"
    }

    /// Returns the name of the function of an entity's records: `loanTo5`.
    package static func record(_ entity: String, to number: Int) -> String {
        Naming.lowerCamelCase(entity) + "To\(number)"
    }

    /// Returns the name of the function of several entities: `clientMembershipTo6`.
    package static func tables(_ entities: [String], to number: Int) -> String {
        guard let first = entities.first else { return "To\(number)" }
        return Naming.lowerCamelCase(first) + entities.dropFirst().joined() + "To\(number)"
    }
}

extension VersionComparison {
    /// The functions that the changes need, in the order of the changes. Their names are different:
    /// where two would be equal, the later ones get underscores, such as `bookPage_countTo4`.
    package var functions: [MigrationFunction] {
        var result: [MigrationFunction] = []
        var indices: [MigrationFunction.Subject: Int] = [:]
        var names: Set<String> = []
        for change in changes {
            guard let subject = change.functionSubject else { continue }
            if let index = indices[subject] {
                result[index].changes.append(change)
                continue
            }
            indices[subject] = result.count
            var name = subject.name(to: nextNumber, separator: "")
            var separator = ""
            while !names.insert(name).inserted {
                separator += "_"
                name = subject.name(to: nextNumber, separator: separator)
            }
            result.append(MigrationFunction(name: name, subject: subject, changes: [change]))
        }
        return result
    }
}

extension MigrationFunction.Subject {
    fileprivate func name(to number: Int, separator: String) -> String {
        switch self {
        case .field(let declaration, let path) where !separator.isEmpty:
            Naming.lowerCamelCase(declaration) + separator + path.joined(separator: separator)
                + "To\(number)"
        case .field(let declaration, let path):
            MigrationFunctionName.field(declaration, path, to: number)
        case .record(let entity):
            MigrationFunctionName.record(entity + separator, to: number)
        case .tables(let entities):
            MigrationFunctionName.tables(entities + [separator], to: number)
        }
    }
}

extension SchemaChange {
    /// What the function that carries out the change gets; nil if no function does.
    fileprivate var functionSubject: MigrationFunction.Subject? {
        guard !isUndecided, let decision, decision.isCode else { return nil }
        if case .migrate(let migrate) = decision {
            return migrate.entities.isEmpty
                ? .record(declaration) : .tables(migrate.entities.map(\.value))
        }
        return .field(declaration: declaration, path: member)
    }
}
