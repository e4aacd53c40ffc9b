#if Compression
    internal import CZlib
#endif
