internal import Foundation

/// Writes fields as CBOR.
struct CBORFieldEncoder: DocumentFieldEncoder {
    var state = DocumentEncoderState(CBORWriter())
}

/// Reads fields of CBOR.
struct CBORFieldDecoder: DocumentFieldDecoder {
    var state: DocumentDecoderState<CBORReader>

    init(_ state: DocumentDecoderState<CBORReader>) {
        self.state = state
    }
}
