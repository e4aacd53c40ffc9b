internal import Foundation

/// The field encoder for CBOR.
struct CBORFieldEncoder: DocumentFieldEncoder {
    var state = DocumentEncoderState(CBORWriter())
}

/// The field decoder for CBOR.
struct CBORFieldDecoder: DocumentFieldDecoder {
    /// Starts from the state of a reader at the first value.
    var state: DocumentDecoderState<CBORReader>

    init(_ state: DocumentDecoderState<CBORReader>) {
        self.state = state
    }
}
