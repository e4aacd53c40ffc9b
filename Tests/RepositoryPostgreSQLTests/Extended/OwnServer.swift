#if PostgreSQL
    import Foundation
    import RepositoryRuntime

    @testable import RepositoryPostgreSQL

    /// A server that one test starts, and whose settings it changes.
    struct OwnServer {
        let address: String
        /// Connections for the test itself.
        let admin: PostgreSQLPoolAccess
        private let process: Process
        private let input: Pipe

        init() throws {
            (process, input, address) = try TestServer.start().get()
            admin = TestServer.pool(address)
        }

        /// Stops the server and waits for its end.
        func stop() {
            admin.pool.close()
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
        }
    }
#endif
