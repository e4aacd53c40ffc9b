// For O_PATH.
#define _GNU_SOURCE

#include "CFileAccess.h"

#include <errno.h>

#if defined(__linux__)

#include <fcntl.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// Not every C library has these calls, so that they are written as the kernel defines them.
#ifndef SYS_openat2
#define SYS_openat2 437
#endif

/// Fail with ELOOP where a component is a symbolic link (Linux 5.6).
static const uint64_t resolve_no_symlinks = 0x04;
/// Fail with EAGAIN rather than look a name up on the disk (Linux 5.12).
static const uint64_t resolve_cached = 0x20;
/// Fail with EAGAIN rather than fetch bytes from the disk (Linux 4.14).
static const long read_nowait = 0x8;

struct how {
    uint64_t flags;
    uint64_t mode;
    uint64_t resolve;
};

/// Opens a file whose name the system knows.
static long open_cached(const char *path, int flags) {
    struct how how = {(uint64_t)(flags | O_CLOEXEC), 0, resolve_cached | resolve_no_symlinks};
    long file = syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
    if (file >= 0) return file;
    switch (errno) {
    // Kernels that do not know the call or the flag; sandboxes that forbid what they do not know.
    case ENOSYS: case EINVAL: case EPERM: return -ENOSYS;
    default: return -errno;
    }
}

long file_access_read_cached(const char *path, void *buffer, size_t size) {
    // Without O_NONBLOCK a FIFO would hold the reader for ever.
    long file = open_cached(path, O_RDONLY | O_NONBLOCK);
    if (file < 0) return file;
    struct iovec part = {buffer, size};
    long count = syscall(SYS_preadv2, (int)file, &part, 1, 0L, 0L, read_nowait);
    if (count < 0) count = errno == EOPNOTSUPP ? -ENOSYS : -errno;
    close((int)file);
    return count;
}

long file_access_find_cached(const char *path) {
    long file = open_cached(path, O_PATH | O_NOFOLLOW);
    if (file < 0) return file;
    close((int)file);
    return 1;
}

int file_access_open_plain(const char *path, int flags, int permissions) {
    uint64_t mode = flags & O_CREAT ? (uint64_t)permissions : 0;
    struct how how = {(uint64_t)(flags | O_CLOEXEC), mode, resolve_no_symlinks};
    long file = syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
    if (file >= 0) return (int)file;
    switch (errno) {
    case ENOSYS: case EINVAL: case EPERM: return -ENOSYS;
    default: return -errno;
    }
}

#else

#include <fcntl.h>

long file_access_read_cached(const char *path, void *buffer, size_t size) {
    (void)path; (void)buffer; (void)size;
    return -ENOSYS;
}

long file_access_find_cached(const char *path) {
    (void)path;
    return -ENOSYS;
}

int file_access_open_plain(const char *path, int flags, int permissions) {
#ifdef O_NOFOLLOW_ANY
    // The system refuses the two flags together.
    int file = open(path, (flags & ~O_NOFOLLOW) | O_NOFOLLOW_ANY | O_CLOEXEC, permissions);
    return file >= 0 ? file : -errno;
#else
    (void)path; (void)flags; (void)permissions;
    return -ENOSYS;
#endif
}

#endif
