import Hummingbird
import RepositoryRuntime

/// Turns the errors of repositories into responses.
struct ErrorMiddleware: RouterMiddleware {
    typealias Context = BasicRequestContext

    func handle(
        _ request: Request, context: BasicRequestContext,
        next: (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as CRUDRepositoryError {
            let status = Self.status(of: error, isConditional: request.headers[.ifMatch] != nil)
            guard status.code < 500 else {
                context.logger.error("\(error)")
                var response = Response(status: status)
                if status == .serviceUnavailable { response.headers[.retryAfter] = "1" }
                return response
            }
            return try .json(Problem(error), status: status)
        } catch let error as DecodingError {
            context.logger.debug("\(error)")
            return try .json(
                Problem(code: "invalidBody", message: "The body is no JSON."), status: .badRequest)
        }
    }

    /// The status for an error.
    ///
    /// - Parameters:
    ///   - error: the error.
    ///   - isConditional: whether the request named a version in `If-Match`.
    static func status(
        of error: CRUDRepositoryError, isConditional: Bool
    ) -> HTTPResponse.Status {
        switch error.code {
        case .recordNotFound: .notFound
        case .versionConflict: isConditional ? .preconditionFailed : .conflict
        case .recordAlreadyExists, .constraintViolated: .conflict
        case .invalidItem, .invalidIdentifier: .unprocessableContent
        case .invalidQuery: .badRequest
        // The client may try again: the store is busy, or the server is being shut down.
        case .storeClosed, .migrating: .serviceUnavailable
        default: error.isRetryable ? .serviceUnavailable : .internalServerError
        }
    }
}

/// The body of a response about an error.
private struct Problem: Encodable {
    let code: String
    let message: String
    var violations: [CRUDRepositoryError.Violation]?

    init(code: String, message: String) {
        self.code = code
        self.message = message
    }

    init(_ error: CRUDRepositoryError) {
        self.init(code: error.code.rawValue, message: error.message)
        if !error.violations.isEmpty { violations = error.violations }
    }
}
