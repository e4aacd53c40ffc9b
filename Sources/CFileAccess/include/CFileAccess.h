#ifndef C_FILE_ACCESS_H
#define C_FILE_ACCESS_H

#include <stddef.h>
#include <stdint.h>

/// Reads the beginning of a file from the system's page cache, without waiting for a disk.
///
/// No component of the path may be a symbolic link.
///
/// Returns the number of bytes read, or a negative error number:
/// - `-EAGAIN`: the path or the bytes are not cached.
/// - `-ENOENT`: the cache shows that the file does not exist.
/// - `-ENOSYS`: the system or the file system does not support such a read.
long file_access_read_cached(const char *path, void *buffer, size_t size);

/// Reports whether a path exists, from the system's cache and without waiting for a disk.
///
/// No component of the path except the last one may be a symbolic link.
///
/// Returns 1 if the path exists, otherwise a negative error number as for
/// `file_access_read_cached`.
long file_access_find_cached(const char *path);

/// Opens a path that contains no symbolic links. `flags` and `permissions` are those of `open`.
///
/// Returns the descriptor, or a negative error number:
/// - `-ELOOP`: a component of the path is a symbolic link.
/// - `-ENOSYS`: the system has no call that opens a path in this way.
int file_access_open_plain(const char *path, int flags, int permissions);

/// Reads a number in memory that another process may be changing. The address is aligned.
uint64_t file_access_load(const void *address);

#endif
