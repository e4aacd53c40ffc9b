internal import Foundation

/// The field encoder for XML property lists.
struct XMLFieldEncoder: DocumentFieldEncoder {
    var state = DocumentEncoderState(XMLPropertyListWriter())
}

/// The field decoder for XML property lists.
struct XMLFieldDecoder: DocumentFieldDecoder {
    var state: DocumentDecoderState<XMLPropertyListReader>

    /// Starts from the state of a reader at the first value.
    init(_ state: DocumentDecoderState<XMLPropertyListReader>) {
        self.state = state
    }
}

/// The field encoder for binary property lists.
struct BinaryPropertyListFieldEncoder: DocumentFieldEncoder {
    var state = DocumentEncoderState(BinaryPropertyListWriter())
}

/// The field decoder for binary property lists.
struct BinaryPropertyListFieldDecoder: DocumentFieldDecoder {
    var state: DocumentDecoderState<BinaryPropertyListReader>

    /// Starts from the state of a reader at the first value.
    init(_ state: DocumentDecoderState<BinaryPropertyListReader>) {
        self.state = state
    }
}
