#if Encryption
    import Foundation
    import RepositoryEncryption
    import RepositoryRuntime
    import RepositorySQL
    import RepositorySQLite

    /// A temporary folder with a database, removed with the object.
    final class ClinicFolder: Sendable {
        let url = FileManager.default.temporaryDirectory.appending(path: "clinic-\(UUID())")
        /// Whether the stores are those for any SQL database.
        private let isOverDriver: Bool

        init(overDriver: Bool = false) throws {
            isOverDriver = overDriver
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(at: url) }

        /// The path of the database.
        var path: String { url.appending(path: "clinic.sqlite").path }

        /// A store with keys.
        func store(_ keys: KeyRing?) -> any EntityStore {
            let encryption = keys.map { FieldEncryption($0, indexKey: .index) }
            return isOverDriver
                ? SQLStore(ExampleDriver(path: path), encryption: encryption)
                : SQLiteStore(path: path, encryption: encryption)
        }

        /// All files of the folder.
        func files() throws -> [URL] {
            try FileManager.default.subpathsOfDirectory(atPath: url.path)
                .map { url.appending(path: $0) }
                .filter { try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == false }
        }
    }

    extension KeyRing {
        /// Keys with the given ids, the one that writes first.
        static func clinic(_ ids: String..., seed: UInt8 = 0) throws -> KeyRing {
            let keys = try ids.map { id in
                let first = id.utf8.reduce(seed, &+)
                return try EncryptionKey(id: id, bytes: Data((0..<32).map { $0 &* 7 &+ first }))
            }
            return try KeyRing(keys[0], Array(keys.dropFirst()))
        }
    }

    extension Patient {
        /// Words in the values of samples.
        static let words = [
            "Takver", "secret note", "Tak", "north.example", "Abbenay", "pollen", "insomnia",
            "evening", "1904", "E621E1F8",
        ]

        /// A patient with a value in every field, if the number is even.
        static func sample(_ number: Int) -> Patient {
            var patient = Patient(
                number: number, name: "Takver \(number)", phone: "call \(number)", code: "\(number)"
            )
            guard number.isMultiple(of: 2) else { return patient }
            patient.note = "secret note \(number) ü"
            patient.nick = "Tak\(number)"
            patient.insured = true
            patient.visits = number + 100_000_000
            patient.small = -7
            patient.weight = 61.25
            patient.height = 1.75
            patient.debt = Decimal(string: "12345678901234567890.5")
            patient.price = Decimal(string: "9.95")
            patient.born = Date(timeIntervalSince1970: 1_234_567.25)
            patient.day = LocalDate("1904-11-22")
            patient.card = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
            patient.page = URL(string: "https://north.example/\(number)")
            patient.picture = Data("insomnia".utf8)
            patient.blood = .zero
            patient.home = Place(street: "Abbenay \(number)", city: nil)
            patient.sickness = .other(name: "insomnia")
            patient.allergies = ["pollen", ""]
            patient.doses = ["evening": 2]
            return patient
        }
    }
#endif
