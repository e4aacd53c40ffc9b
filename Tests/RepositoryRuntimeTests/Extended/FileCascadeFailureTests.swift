import Foundation
import Generated
import Testing

@testable import RepositoryRuntime

@Suite("Deletes of entities in files that fail")
struct FileCascadeFailureTests {
    private func library(_ folder: TemporaryFolder) -> Library {
        Library(FileSystemStore(directory: folder.url, transformer: JSONDataTransformer()))
    }

    @Test("A delete that takes others along happens whole when a file operation fails")
    func cascade() async throws {
        var count = 0
        var number = 0
        while number <= count {
            let folder = TemporaryFolder()
            let library = library(folder)
            let author = try await library.authors.create(Author(name: "A"))
            let book = try await library.books.create(
                Book(isbn: "1234567890", title: "T", pages: 1, authorID: author.id))
            try await library.clients.create(
                Client(
                    id: "c", name: "N", email: "c@x",
                    joinedAt: Date(timeIntervalSinceReferenceDate: 0)))
            for loan in 1...3 {
                try await library.loans.create(
                    Loan(bookID: book.id, number: loan, clientID: "c"))
            }
            let operations = FailingFileOperations(failing: number)
            let failing = Library(
                FileSystemStore(
                    FileDriver(
                        root: folder.url, formatExtension: "json", providesStamps: true,
                        operations: operations), transformer: JSONDataTransformer()))
            let code = await errorCode { try await failing.books.delete(book.id) }
            if number == 0 { count = operations.operationCount }
            #expect(code == nil || code == .databaseError, "\(number)")
            let after = self.library(folder)
            #expect(try await after.books.count() == (code == nil ? 0 : 1), "\(number)")
            #expect(try await after.loans.count() == (code == nil ? 0 : 3), "\(number)")
            number += 1
        }
        #expect(count > 40)
    }
}
