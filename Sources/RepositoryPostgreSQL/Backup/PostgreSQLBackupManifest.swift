#if PostgreSQL
    internal import Foundation
    internal import RepositoryRuntime
    internal import StoredSchema

    /// What a backup contains: the file `manifest` of its folder.
    ///
    /// The file is JSON and, in its last line, the hash of the JSON.
    struct PostgreSQLBackupManifest: Codable, Sendable, Equatable {
        /// A column, as the catalog describes it.
        struct Column: Codable, Sendable, Equatable {
            var name: String
            var type: String
            /// Whether text is sorted by its bytes, and not as the database does it.
            var isBinary: Bool
            var isRequired: Bool
            /// The expression of the default.
            var initial: String?
            /// The expression of a generated column.
            var generated: String?
        }

        /// A constraint, index or trigger.
        struct Part: Codable, Sendable, Equatable {
            var name: String
            var definition: String
        }

        /// A table with the file of its rows.
        struct CopiedTable: Codable, Sendable, Equatable {
            var name: String
            var columns: [Column]
            var constraints: [Part] = []
            var references: [Part] = []
            var indexes: [Part] = []
            var triggers: [Part] = []
            /// The name of the file in the folder, which has the form of `COPY … TO` as text.
            var file = ""
            var rows = 0
            var bytes = 0
            /// The SHA-256 hash of the file in hexadecimal digits.
            var hash = ""

            /// The columns that the file has.
            var copied: [Column] { columns.filter { $0.generated == nil } }
        }

        /// The version of the format.
        var format = 1
        /// The description of the schemas.
        var description: String
        /// The functions of triggers, with their bodies in PL/pgSQL.
        var functions: [Part] = []
        var tables: [CopiedTable] = []

        /// The name of the file.
        static let path = "manifest"
        private static let label = "sha256 "

        /// The bytes of the file.
        func data() throws -> Data {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
            var data = try encoder.encode(self)
            data.append(UInt8(ascii: "\n"))
            return data + Data("\(Self.label)\(SHA256.hexadecimal(data))\n".utf8)
        }

        /// Reads the file.
        ///
        /// - Parameter fail: returns the error for a reason.
        init(_ data: Data, _ fail: (String) -> CRUDRepositoryError) throws {
            // The line of the hash has a fixed length.
            let length = Self.label.utf8.count + 64 + 1
            guard data.count > length else { throw fail("its manifest is not whole") }
            let text = data.dropLast(length)
            let line = Data("\(Self.label)\(SHA256.hexadecimal(Data(text)))\n".utf8)
            guard data.suffix(length) == line else {
                throw fail("its manifest is not whole, or was changed")
            }
            do {
                self = try JSONDecoder().decode(Self.self, from: Data(text))
            } catch {
                throw fail("its manifest cannot be read")
            }
            guard format == 1 else {
                throw fail("it has the format \(format) of a later version of this package")
            }
            let files = tables.map(\.file)
            guard Set(files).count == files.count,
                files.allSatisfy({
                    $0.hasSuffix(".copy") && !$0.contains("/") && !$0.contains("\0")
                })
            else { throw fail("its manifest names files outside the backup") }
        }

        /// Creates the manifest of a database without tables.
        init(description: String) { self.description = description }
    }
#endif
