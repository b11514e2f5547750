/*
 * Counts what one process asks of its disk: bytes written at a place in a file, as databases write
 * them, and syncs. Preloaded by LD_PRELOAD.
 *
 * DISK_COUNTERS: a file of two 64-bit numbers, bytes and syncs, that the other side reads.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static uint64_t *counters;

__attribute__((constructor)) static void prepare(void) {
  const char *path = getenv("DISK_COUNTERS");
  if (path == NULL) return;
  int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  void *mapped = mmap(NULL, 2 * sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (mapped != MAP_FAILED) counters = mapped;
}

static void count(int which, int64_t amount) {
  if (counters != NULL && amount > 0) __atomic_fetch_add(&counters[which], amount, __ATOMIC_RELAXED);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t place) {
  ssize_t written = REAL(pwrite64)(file, bytes, size, place);
  count(0, written);
  return written;
}

int fsync(int file) {
  count(1, 1);
  return REAL(fsync)(file);
}

int fdatasync(int file) {
  count(1, 1);
  return REAL(fdatasync)(file);
}
