/* Lets one call of the C library's file functions go wrong, for tests of what a program does then:
 *   LD_PRELOAD=failing_calls.so FAULT_AT=7 FAULT=ENOSPC softwood …
 * Calls are counted from 1 and only if they are about writing: open of a file to be written, write,
 * fsync, fchmod, fchown, flock, rename, and close of what was so opened or is a copy of it. FAULT is ENOSPC,
 * EIO or EINTR, or SHORT: a write that takes one byte. With FAULT_LOG=FILE every counted call is a
 * line of that file. Standard error is left alone: it says what went wrong. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_DESCRIPTORS = 4096 };
static atomic_int calls;
static atomic_char is_watched[MOST_DESCRIPTORS];

static int watched(int descriptor) {
  return descriptor == STDOUT_FILENO ||
         (descriptor > 2 && descriptor < MOST_DESCRIPTORS && is_watched[descriptor]);
}

static void note(int number, const char* name) {
  const char* path = getenv("FAULT_LOG");
  if (path == NULL) return;
  char line[64];
  const int size = snprintf(line, sizeof line, "%d %s\n", number, name);
  const long log = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (log < 0) return;
  syscall(SYS_write, log, line, size);
  syscall(SYS_close, log);
}

/* 0: nothing goes wrong; -1: SHORT; else the errno to fail with. */
static int fault_of(const char* name) {
  const int number = ++calls;
  note(number, name);
  const char *at = getenv("FAULT_AT"), *fault = getenv("FAULT");
  if (at == NULL || fault == NULL || atoi(at) != number) return 0;
  if (strcmp(fault, "SHORT") == 0) return -1;
  if (strcmp(fault, "EINTR") == 0) return EINTR;
  return strcmp(fault, "ENOSPC") == 0 ? ENOSPC : EIO;
}

#define FAIL_IF_ASKED(name)                  \
  do {                                       \
    const int fault = fault_of(name);        \
    if (fault > 0) return errno = fault, -1; \
  } while (0)

static int watching_open(int folder, const char* path, int flags, mode_t mode) {
  const int writes = (flags & O_ACCMODE) != O_RDONLY;
  if (writes) FAIL_IF_ASKED("open");
  const int descriptor = (int)syscall(SYS_openat, folder, path, flags, mode);
  if (descriptor >= 0 && descriptor < MOST_DESCRIPTORS) is_watched[descriptor] = (char)writes;
  return descriptor;
}

#define MODE_OF(flags)                   \
  mode_t mode = 0;                       \
  if ((flags) & (O_CREAT | O_TMPFILE)) { \
    va_list rest;                        \
    va_start(rest, flags);               \
    mode = va_arg(rest, mode_t);         \
    va_end(rest);                        \
  }

int open(const char* path, int flags, ...) {
  MODE_OF(flags)
  return watching_open(AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  MODE_OF(flags)
  return watching_open(AT_FDCWD, path, flags, mode);
}

/* Copies of a descriptor are watched as it is. */
static int watching_fcntl(int descriptor, int command, long argument) {
  const int result = (int)syscall(SYS_fcntl, descriptor, command, argument);
  const int copies = command == F_DUPFD || command == F_DUPFD_CLOEXEC;
  if (copies && result >= 0 && result < MOST_DESCRIPTORS)
    is_watched[result] = (char)watched(descriptor);
  return result;
}

#define ARGUMENT_AFTER(command)              \
  va_list rest;                              \
  va_start(rest, command);                   \
  const long argument = va_arg(rest, long); \
  va_end(rest);

int fcntl(int descriptor, int command, ...) {
  ARGUMENT_AFTER(command)
  return watching_fcntl(descriptor, command, argument);
}
int fcntl64(int descriptor, int command, ...) {
  ARGUMENT_AFTER(command)
  return watching_fcntl(descriptor, command, argument);
}

ssize_t write(int descriptor, const void* bytes, size_t size) {
  if (watched(descriptor)) {
    const int fault = fault_of("write");
    if (fault > 0) return errno = fault, -1;
    if (fault < 0 && size > 1) size = 1;
  }
  return syscall(SYS_write, descriptor, bytes, size);
}
int fsync(int descriptor) {
  FAIL_IF_ASKED("fsync");
  return (int)syscall(SYS_fsync, descriptor);
}
int fchmod(int descriptor, mode_t mode) {
  FAIL_IF_ASKED("fchmod");
  return (int)syscall(SYS_fchmod, descriptor, mode);
}
int fchown(int descriptor, uid_t owner, gid_t group) {
  FAIL_IF_ASKED("fchown");
  return (int)syscall(SYS_fchown, descriptor, owner, group);
}
int flock(int descriptor, int operation) {
  FAIL_IF_ASKED("flock");
  return (int)syscall(SYS_flock, descriptor, operation);
}
int rename(const char* from, const char* to) {
  FAIL_IF_ASKED("rename");
  return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
int close(int descriptor) {
  if (watched(descriptor)) {
    const int fault = fault_of("close");
    /* As on Linux: it is closed, whatever close says. */
    if (descriptor > 2) is_watched[descriptor] = 0;
    syscall(SYS_close, descriptor);
    if (fault > 0) return errno = fault, -1;
    return 0;
  }
  return (int)syscall(SYS_close, descriptor);
}
