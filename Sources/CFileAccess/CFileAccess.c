// Declares O_PATH.
#define _GNU_SOURCE

#include "CFileAccess.h"

#include <errno.h>

#if defined(__linux__)

#include <fcntl.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// Some C libraries have no wrappers for these calls. The definitions below are those of the
// kernel's interface.
#ifndef SYS_openat2
#define SYS_openat2 437
#endif

/// RESOLVE_NO_SYMLINKS: fail with ELOOP if a component is a symbolic link (Linux 5.6).
static const uint64_t resolve_no_symlinks = 0x04;
/// RESOLVE_CACHED: fail with EAGAIN if looking a name up requires disk access (Linux 5.12).
static const uint64_t resolve_cached = 0x20;
/// RWF_NOWAIT: fail with EAGAIN if reading the bytes requires disk access (Linux 4.14).
static const long read_nowait = 0x8;

/// The kernel's struct open_how.
struct how {
    uint64_t flags;
    uint64_t mode;
    uint64_t resolve;
};

/// Opens a file if the components of its path are in the kernel's cache and none of them is a
/// symbolic link. Returns the descriptor or a negative error number.
static long open_cached(const char *path, int flags) {
    struct how how = {(uint64_t)(flags | O_CLOEXEC), 0, resolve_cached | resolve_no_symlinks};
    long file = syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
    if (file >= 0) return file;
    switch (errno) {
    // The kernel does not support the call or the flag, or a sandbox forbids unknown calls.
    case ENOSYS: case EINVAL: case EPERM: return -ENOSYS;
    default: return -errno;
    }
}

long file_access_read_cached(const char *path, void *buffer, size_t size) {
    // Without O_NONBLOCK, opening a FIFO would block forever.
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
    // The kernel rejects a mode without O_CREAT.
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
    // The system rejects a combination of the two flags.
    int file = open(path, (flags & ~O_NOFOLLOW) | O_NOFOLLOW_ANY | O_CLOEXEC, permissions);
    return file >= 0 ? file : -errno;
#else
    (void)path; (void)flags; (void)permissions;
    return -ENOSYS;
#endif
}

#endif

uint64_t file_access_load(const void *address) {
    return __atomic_load_n((const uint64_t *)address, __ATOMIC_ACQUIRE);
}
