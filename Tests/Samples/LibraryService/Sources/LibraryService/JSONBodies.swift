import Foundation
import Hummingbird

extension Request {
    /// The body of a request, decoded from JSON. It has at most a mebibyte.
    func body<Value: Decodable>(as type: Value.Type) async throws -> Value {
        let buffer = try await body.collect(upTo: 1 << 20)
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(type, from: Data(buffer.readableBytesView))
    }

    /// A parameter of the query; nil if there is none.
    ///
    /// - Throws: an error with status 400 if it has another form.
    func value<Value: LosslessStringConvertible>(
        of name: String, as type: Value.Type
    ) throws -> Value? {
        guard let text = uri.queryParameters.get(name) else { return nil }
        guard let value = Value(text) else {
            throw HTTPError(.badRequest, message: "The parameter '\(name)' has a wrong form.")
        }
        return value
    }

    /// A parameter of the query that names a case; nil if there is none.
    ///
    /// - Throws: an error with status 400 if there is no such case.
    func value<Value: RawRepresentable<String>>(of name: String, as type: Value.Type) throws
        -> Value?
    {
        guard let text = uri.queryParameters.get(name) else { return nil }
        guard let value = Value(rawValue: text) else {
            throw HTTPError(.badRequest, message: "The parameter '\(name)' has a wrong form.")
        }
        return value
    }
}

extension Response {
    /// A response with a value as JSON.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - status: the status.
    ///   - tag: the version for the header `ETag`; nil if there is none.
    static func json(
        _ value: some Encodable, status: HTTPResponse.Status = .ok, tag: Int? = nil
    ) throws -> Response {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var headers: HTTPFields = [.contentType: "application/json"]
        if let tag { headers[.eTag] = EntityTag(tag).description }
        let body = ByteBuffer(bytes: try encoder.encode(value))
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: body))
    }
}
