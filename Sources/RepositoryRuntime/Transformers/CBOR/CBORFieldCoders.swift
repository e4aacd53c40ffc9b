internal import Foundation

/// The field encoder for CBOR.
struct CBORFieldEncoder: DocumentFieldEncoder {
    var state = DocumentEncoderState(CBORWriter())
}

/// The field decoder for CBOR.
struct CBORFieldDecoder: DocumentFieldDecoder {
    var state: DocumentDecoderState<CBORReader>

    init(_ state: DocumentDecoderState<CBORReader>) {
        self.state = state
    }
}
