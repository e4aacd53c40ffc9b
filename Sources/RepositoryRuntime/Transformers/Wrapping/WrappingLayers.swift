package import Foundation

/// A transformer that consists of a format and the transformers around it.
package struct WrappingLayers: Sendable {
    /// The transformers, from the outermost one.
    let layers: [any WrappingTransformer]
    /// The format inside all of them.
    package let format: any DataTransformer

    /// Takes a transformer apart; nil if it is not a wrapping one.
    package init?(_ transformer: any DataTransformer) {
        var layers: [any WrappingTransformer] = []
        var format = transformer
        while let layer = format as? any WrappingTransformer {
            layers.append(layer)
            format = layer.base
        }
        if layers.isEmpty { return nil }
        self.layers = layers
        self.format = format
    }

    /// The transformer with keys; nil if there is none.
    var keyed: (any WrappingTransformer)? { layers[0].wrappingKey == nil ? nil : layers[0] }

    /// Throws unless a transformer with keys is the outermost one, and the only one.
    ///
    /// What compresses encrypted bytes does not compress, and documents would not be authenticated
    /// as they are stored.
    func checkOrder() throws {
        guard let layer = layers.dropFirst().first(where: { $0.wrappingKey != nil }) else { return }
        throw CRUDRepositoryError(
            .unsupported,
            "\(type(of: layer)) must be the outermost transformer: \(type(of: layers[0])) is around it."
        )
    }

    /// Wraps the bytes of the format.
    package func wrap(_ bytes: Data, at place: DocumentPlace) throws -> Data {
        try layers.reversed().reduce(bytes) { try $1.wrap($0, at: place) }
    }

    /// Unwraps stored bytes.
    ///
    /// - Throws: ``RecordDecodingError``; `keyNotFound`.
    package func unwrap(_ bytes: Data, at place: DocumentPlace) throws -> Data {
        try layers.reduce(bytes) { try $1.unwrap($0, at: place) }
    }
}
