#define _GNU_SOURCE
#include "CPlatform.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

const int fp_o_path = O_PATH;
const uint64_t fp_resolve_beneath = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;

static int64_t nanoseconds(const struct statx_timestamp *time) {
    int64_t result;
    if (__builtin_mul_overflow((int64_t)time->tv_sec, INT64_C(1000000000), &result)
        || __builtin_add_overflow(result, (int64_t)time->tv_nsec, &result))
        return time->tv_sec < 0 ? INT64_MIN + 1 : INT64_MAX;
    return result;
}

/// Whether the item's file system keeps inode numbers; asked once a second for a device, since its number is given again.
static bool keeps_inodes(int directory, const char *name, uint64_t device) {
    static _Thread_local struct {
        uint64_t device;
        time_t time;
        bool keeps;
    } known;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    if (known.time == now.tv_sec && known.device == device) return known.keeps;
    struct statfs found;
    int item = *name == 0 ? directory : openat(directory, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    bool is_known = item >= 0 && fstatfs(item, &found) == 0;
    if (item != directory && item >= 0) close(item);
    if (!is_known) return true;
    known.device = device;
    known.time = now.tv_sec;
    known.keeps = found.f_type != MSDOS_SUPER_MAGIC && found.f_type != EXFAT_SUPER_MAGIC && found.f_type != FUSE_SUPER_MAGIC;
    return known.keeps;
}

int fp_status_at(int directory, const char *name, struct fp_status *status) {
    const unsigned wanted = STATX_BASIC_STATS | STATX_BTIME | STATX_MNT_ID;
    struct statx found;
    if (statx(directory, name, AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH | AT_NO_AUTOMOUNT, wanted, &found) != 0) return -1;
    uint64_t device = makedev(found.stx_dev_major, found.stx_dev_minor);
    *status = (struct fp_status){
        .mode = found.stx_mode,
        .user = found.stx_uid,
        .group = found.stx_gid,
        .linkCount = found.stx_nlink,
        .inode = found.stx_ino,
        .keepsInode = keeps_inodes(directory, name, device),
        .device = device,
        .target = makedev(found.stx_rdev_major, found.stx_rdev_minor),
        .mount = found.stx_mask & STATX_MNT_ID ? found.stx_mnt_id : 0,
        .size = (int64_t)found.stx_size,
        .stored = (int64_t)found.stx_blocks * 512,
        .modified = nanoseconds(&found.stx_mtime),
        .changed = nanoseconds(&found.stx_ctime),
        .accessed = nanoseconds(&found.stx_atime),
        .created = found.stx_mask & STATX_BTIME ? nanoseconds(&found.stx_btime) : INT64_MIN,
    };
    return 0;
}

int fp_openat2(int directory, const char *path, int flags, uint64_t resolve) {
    struct open_how how = {.flags = (uint64_t)(flags | O_CLOEXEC), .resolve = resolve};
    return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
}

int fp_open_unnamed(int directory, mode_t mode) {
    return openat(directory, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
}

int fp_name(int file, int directory, const char *name) {
    if (linkat(file, "", directory, name, AT_EMPTY_PATH) == 0) return 0;
    if (errno != ENOENT && errno != EPERM && errno != EINVAL) return -1;
    char path[32];  // Without CAP_DAC_READ_SEARCH older kernels want this detour.
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    return linkat(AT_FDCWD, path, directory, name, AT_SYMLINK_FOLLOW);
}

int fp_rename_exclusive(int from, const char *old, int to, const char *new_) {
    return renameat2(from, old, to, new_, RENAME_NOREPLACE);
}

int fp_pipe(int ends[2]) { return pipe2(ends, O_NONBLOCK | O_CLOEXEC); }

int fp_clone(int source, int destination) { return ioctl(destination, FICLONE, source); }

ssize_t fp_copy_range(int source, int64_t from, int destination, int64_t to, size_t count) {
    off_t in = from, out = to;
    return copy_file_range(source, &in, destination, &out, count, 0);
}

bool fp_copies_plainly(int file) {
    struct statfs found;
    if (fstatfs(file, &found) != 0) return false;
    return found.f_type == EXT4_SUPER_MAGIC || found.f_type == TMPFS_MAGIC;
}

ssize_t fp_attribute_names(int file, void *names, size_t size) { return flistxattr(file, names, size); }

ssize_t fp_attribute_at(int directory, const char *item, const char *name, void *value, size_t size) {
    if (*item == 0) return fgetxattr(directory, name, value, size);
    char path[PATH_MAX];  // Before Linux 6.13 there is no call that takes a directory.
    snprintf(path, sizeof path, "/proc/self/fd/%d/%s", directory, item);
    return lgetxattr(path, name, value, size);
}

int fp_set_attribute(int file, const char *name, const void *value, size_t size) {
    return fsetxattr(file, name, value, size, 0);
}

int fp_remove_attribute(int file, const char *name) { return fremovexattr(file, name); }

int fp_reserve(int file, int64_t length) { return fallocate(file, FALLOC_FL_KEEP_SIZE, 0, length); }

int64_t fp_next_data(int file, int64_t offset) { return lseek(file, offset, SEEK_DATA); }

int64_t fp_next_hole(int file, int64_t offset) { return lseek(file, offset, SEEK_HOLE); }

ssize_t fp_read_entries(int directory, void *buffer, size_t size) { return getdents64(directory, buffer, size); }

/// What the kernel writes for an entry; unlike `struct dirent64` without an end.
struct kernel_entry {
    uint64_t inode;
    int64_t offset;
    uint16_t length;
    uint8_t type;
    char name[];
};

size_t fp_entry_at(const void *buffer, size_t position, struct fp_entry *entry) {
    const struct kernel_entry *found = (const struct kernel_entry *)((const char *)buffer + position);
    *entry = (struct fp_entry){found->name, strlen(found->name), found->inode, found->type};
    return position + found->length;
}

int fp_spawn_closing(posix_spawn_file_actions_t *actions, int first) {
    errno = posix_spawn_file_actions_addclosefrom_np(actions, first);
    return errno == 0 ? 0 : -1;
}

int fp_lease(int file) { return fcntl(file, F_SETLEASE, F_RDLCK); }
