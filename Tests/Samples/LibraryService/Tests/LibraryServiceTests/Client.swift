import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What the server answered.
struct Answer {
    let status: Int
    let headers: [String: String]
    let body: Data

    /// The body as a JSON object; empty if it is none.
    var object: [String: Any] {
        get throws { try JSONSerialization.jsonObject(with: body) as? [String: Any] ?? [:] }
    }

    /// The objects of a list.
    var items: [[String: Any]] {
        get throws { try object["items"] as? [[String: Any]] ?? [] }
    }

    /// The body as text.
    var text: String { String(decoding: body, as: UTF8.self) }
}

/// A client of a server on this machine.
struct Client: Sendable {
    let port: Int
    private let session = URLSession(configuration: .ephemeral)

    init(port: Int) { self.port = port }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - method: the method.
    ///   - path: the path with its query.
    ///   - json: the body; nil if there is none.
    ///   - headers: further headers.
    func send(
        _ method: String, _ path: String, _ json: String? = nil, headers: [String: String] = [:]
    ) async throws -> Answer {
        var request = URLRequest(url: try url(path))
        request.httpMethod = method
        request.timeoutInterval = 30
        request.cachePolicy = .reloadIgnoringLocalCacheData
        request.httpBody = json.map { Data($0.utf8) }
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        let (body, response) = try await session.data(for: request)
        guard let http = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        var fields: [String: String] = [:]
        for (name, value) in http.allHeaderFields {
            fields["\(name)".lowercased()] = "\(value)"
        }
        return Answer(status: http.statusCode, headers: fields, body: body)
    }

    private func url(_ path: String) throws -> URL {
        guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else {
            throw URLError(.badURL)
        }
        return url
    }
}
