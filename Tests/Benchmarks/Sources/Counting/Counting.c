#define _GNU_SOURCE
#include "Counting.h"

#include <errno.h>
#include <stdlib.h>

#ifdef __GLIBC__

// The GNU C library lets a program put its own functions in the place of these, and keeps its own under other names.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static _Thread_local long allocations = 0;

void *malloc(size_t size) {
    allocations++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    allocations++;
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
    allocations++;
    return __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    allocations++;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    allocations++;
    *block = __libc_memalign(alignment, size);
    return *block == NULL ? ENOMEM : 0;
}

long counting_allocations(void) { return allocations; }

#else

long counting_allocations(void) { return -1; }

#endif

// What is empty would be left out.
__attribute__((noinline)) void counting_begin(void) { __asm__ volatile(""); }

__attribute__((noinline)) void counting_end(void) { __asm__ volatile(""); }

#ifdef __linux__

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

// The main thread of a Swift program waits with a mask that is constant, into which Valgrind writes; so it gets a copy.
int sigsuspend(const sigset_t *mask) {
    sigset_t copy = *mask;
    return (int)syscall(SYS_rt_sigsuspend, &copy, _NSIG / 8);
}

#endif
