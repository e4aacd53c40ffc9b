#ifndef C_FILE_ACCESS_H
#define C_FILE_ACCESS_H

#include <stddef.h>

/// Reads the beginning of a file without ever waiting for a disk: its name and its bytes must be in
/// the system's memory. No component of the path may be a symbolic link.
///
/// Returns the number of bytes read, or a negative error number: `-EAGAIN` where something would
/// have to be fetched, `-ENOENT` where it is known that there is no such file, `-ENOSYS` where the
/// system, or the file system, cannot say what it has in memory.
long file_access_read_cached(const char *path, void *buffer, size_t size);

/// Says without waiting for a disk whether something has a name: 1 where it has, otherwise a
/// negative error number as above. No component of the path but the last may be a symbolic link.
long file_access_find_cached(const char *path);

/// Opens a path of which no component is a symbolic link.
///
/// Returns the descriptor, or a negative error number: `-ELOOP` where a component is a link,
/// `-ENOSYS` where the system cannot open a path in this way.
int file_access_open_plain(const char *path, int flags, int permissions);

#endif
