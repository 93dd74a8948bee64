// Preloaded library that ends a program at its n-th change of the file system. END_AT is n, END_WITH the signal,
// END_COUNTS a file for the number of calls, END_NAMES one for their names.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int calls;

static void count(const char* name) {
  const char* at = getenv("END_AT");
  const char* with = getenv("END_WITH");
  const char* names = getenv("END_NAMES");
  FILE* list = names ? fopen(names, "a") : NULL;
  if (list) {
    fprintf(list, "%s\n", name);
    fclose(list);
  }
  ++calls;
  if (at && calls == atoi(at)) kill(getpid(), with ? atoi(with) : SIGKILL);
}

__attribute__((destructor)) static void report(void) {
  const char* name = getenv("END_COUNTS");
  FILE* file = name ? fopen(name, "w") : NULL;
  if (!file) return;
  fprintf(file, "%d", calls);
  fclose(file);
}

// The end comes before the call is made, or after the one before it, which is the same.
#define CHANGE(type, name, parameters, arguments)        \
  type name parameters {                                 \
    static type(*real) parameters;                       \
    if (!real) *(void**)&real = dlsym(RTLD_NEXT, #name); \
    count(#name);                                        \
    return real arguments;                               \
  }

CHANGE(ssize_t, write, (int fd, const void* data, size_t size), (fd, data, size))
CHANGE(ssize_t, pwrite, (int fd, const void* data, size_t size, off_t at), (fd, data, size, at))
CHANGE(ssize_t, pwrite64, (int fd, const void* data, size_t size, off64_t at), (fd, data, size, at))
CHANGE(int, ftruncate, (int fd, off_t size), (fd, size))
CHANGE(int, ftruncate64, (int fd, off64_t size), (fd, size))
CHANGE(int, fsync, (int fd), (fd))
CHANGE(int, rename, (const char* from, const char* to), (from, to))
CHANGE(int, renameat2, (int from_folder, const char* from, int to_folder, const char* to, unsigned flags),
       (from_folder, from, to_folder, to, flags))
CHANGE(int, remove, (const char* path), (path))
CHANGE(int, unlink, (const char* path), (path))
