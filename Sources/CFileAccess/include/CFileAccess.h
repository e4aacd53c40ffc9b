#ifndef C_FILE_ACCESS_H
#define C_FILE_ACCESS_H

#include <stddef.h>

/// Reads the beginning of a file without ever waiting for a disk: its name and its bytes must be in the system's memory.
///
/// Returns the number of bytes read, or a negative error number: `-EAGAIN` where something would have to be fetched, `-ENOENT`
/// where it is known that there is no such file, `-ENOSYS` where the system, or the file system, cannot say what it has in
/// memory.
long file_access_read_cached(const char *path, void *buffer, size_t size);

/// Says without waiting for a disk whether something has a name: 1 where it has, otherwise a negative error number as above.
long file_access_find_cached(const char *path);

#endif
