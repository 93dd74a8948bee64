// Preloaded library that makes files look like those of a folder which hosts share without locks, as over FUSE: each
// process has its locks, and sees none of others.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/vfs.h>

static int pass(int file, int command, void* argument) {
  static int (*real)(int, int, ...);
  if (!real) *(void**)&real = dlsym(RTLD_NEXT, "fcntl64");
  if (command == F_SETLEASE) return errno = EINVAL, -1;
  if (command == F_OFD_GETLK || command == F_GETLK) return ((struct flock*)argument)->l_type = F_UNLCK, 0;
  return real(file, command, argument);
}

int fcntl(int file, int command, ...) {
  va_list more;
  va_start(more, command);
  void* argument = va_arg(more, void*);
  va_end(more);
  return pass(file, command, argument);
}

int fcntl64(int file, int command, ...) {
  va_list more;
  va_start(more, command);
  void* argument = va_arg(more, void*);
  va_end(more);
  return pass(file, command, argument);
}

int fstatfs(int file, struct statfs* status) {
  static int (*real)(int, struct statfs*);
  if (!real) *(void**)&real = dlsym(RTLD_NEXT, "fstatfs");
  const int result = real(file, status);
  status->f_type = FUSE_SUPER_MAGIC;
  return result;
}

int fstatfs64(int file, struct statfs64* status) {
  static int (*real)(int, struct statfs64*);
  if (!real) *(void**)&real = dlsym(RTLD_NEXT, "fstatfs64");
  const int result = real(file, status);
  status->f_type = FUSE_SUPER_MAGIC;
  return result;
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  if (flags) return errno = EINVAL, -1;
  return renameat(from_folder, from, to_folder, to);
}
