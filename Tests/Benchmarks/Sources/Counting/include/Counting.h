#ifndef COUNTING_H
#define COUNTING_H

/// How often the calling thread has allocated memory; -1 where the C library does not let it be counted.
long counting_allocations(void);

/// Stands before what a line measures, for programs that count instructions from here on.
void counting_begin(void);

/// Stands behind what a line measures.
void counting_end(void);

#endif
