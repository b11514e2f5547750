/*
 * Makes writes and syncs of one program's files fail, while it runs and as often as wanted:
 * preloaded by LD_PRELOAD, ordered through a file of two 32-bit numbers that both sides have mapped.
 * The first is the errno of writes, the second that of syncs; 0 lets them pass.
 *
 * FAULT_SHIM_CONTROL: that file. FAULT_SHIM_MARKER: struck are files whose path contains this.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile int32_t *orders;
static const char *marker;

__attribute__((constructor)) static void prepare(void) {
  const char *path = getenv("FAULT_SHIM_CONTROL");
  marker = getenv("FAULT_SHIM_MARKER");
  if (path == NULL || marker == NULL) return;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  void *mapped = mmap(NULL, 2 * sizeof(int32_t), PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (mapped != MAP_FAILED) orders = mapped;
}

/* The errno that is ordered for this file; 0 for none. */
static int ordered(int which, int file) {
  int code = orders == NULL ? 0 : orders[which];
  if (code == 0) return 0;
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = '\0';
  return strstr(path, marker) == NULL ? 0 : code;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define STRIKE(which, file)               \
  do {                                    \
    int code = ordered(which, file);      \
    if (code != 0) {                      \
      errno = code;                       \
      return -1;                          \
    }                                     \
  } while (0)

ssize_t write(int file, const void *bytes, size_t count) {
  STRIKE(0, file);
  return REAL(write)(file, bytes, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  STRIKE(0, file);
  return REAL(pwrite)(file, bytes, count, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
  STRIKE(0, file);
  return REAL(pwrite64)(file, bytes, count, offset);
}

int ftruncate(int file, off_t length) {
  STRIKE(0, file);
  return REAL(ftruncate)(file, length);
}

int ftruncate64(int file, off64_t length) {
  STRIKE(0, file);
  return REAL(ftruncate64)(file, length);
}

int fsync(int file) {
  STRIKE(1, file);
  return REAL(fsync)(file);
}

int fdatasync(int file) {
  STRIKE(1, file);
  return REAL(fdatasync)(file);
}
