/*
 * Preloaded into a server with LD_PRELOAD to imitate a slow disk. Each fsync and fdatasync first sleeps for the
 * microseconds in the file that SYNC_DELAY_FILE names. Only the calling thread sleeps, as it would on a slow disk.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The file is mapped, so the benchmark changes the delay of a running server by writing to the file. */
static const volatile uint32_t *delay_micros;

__attribute__((constructor)) static void map_delay(void) {
  const char *path = getenv("SYNC_DELAY_FILE");
  int file = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  void *memory = mmap(NULL, sizeof *delay_micros, PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (memory != MAP_FAILED) delay_micros = memory;
}

static void wait_for_disk(void) {
  uint32_t micros = delay_micros == NULL ? 0 : *delay_micros;
  struct timespec rest = {.tv_sec = micros / 1000000, .tv_nsec = micros % 1000000 * 1000L};
  while (micros > 0 && nanosleep(&rest, &rest) != 0 && errno == EINTR) {
  }
}

int fsync(int file) {
  wait_for_disk();
  return (int)syscall(SYS_fsync, file);
}

int fdatasync(int file) {
  wait_for_disk();
  return (int)syscall(SYS_fdatasync, file);
}
