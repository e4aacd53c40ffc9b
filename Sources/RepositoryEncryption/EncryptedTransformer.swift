#if Encryption
    internal import Crypto
#endif
