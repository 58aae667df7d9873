/*
 * Preloaded into a server with LD_PRELOAD to imitate a disk that fails. The file that SYNC_FAILURES_FILE names contains
 * the number of syncs that must still fail, and the error number of these failures. While the first number is above 0,
 * each fsync and fdatasync reduces it by one and fails with this error instead of syncing.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The file is mapped, so the test makes syncs of a running server fail by writing to the file. */
static struct {
  atomic_int_least32_t left;
  int32_t error;
} *failures;

__attribute__((constructor)) static void map_failures(void) {
  const char *path = getenv("SYNC_FAILURES_FILE");
  int file = path == NULL ? -1 : open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  void *memory = mmap(NULL, sizeof *failures, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory != MAP_FAILED) failures = memory;
}

static bool take_failure(void) {
  if (failures == NULL) return false;
  int_least32_t left = atomic_load(&failures->left);
  while (left > 0) {
    if (!atomic_compare_exchange_weak(&failures->left, &left, left - 1)) continue;
    errno = failures->error;
    return true;
  }
  return false;
}

int fsync(int file) { return take_failure() ? -1 : (int)syscall(SYS_fsync, file); }

int fdatasync(int file) { return take_failure() ? -1 : (int)syscall(SYS_fdatasync, file); }
