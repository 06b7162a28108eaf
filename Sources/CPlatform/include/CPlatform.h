// The few Linux calls that Swift cannot make: they need _GNU_SOURCE, are variadic, or have no wrapper in the C library.
// Every function answers as a system call does: -1 and errno when it failed.

#ifndef CPLATFORM_H
#define CPLATFORM_H

#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// What statx(2) tells of an item. Times are nanoseconds since 1970, clamped; INT64_MIN where there is none.
struct fp_status {
    uint32_t mode;
    uint32_t user;
    uint32_t group;
    uint32_t linkCount;
    uint64_t inode;
    /// Whether the inode number stays with the item. FAT, exFAT and many FUSE file systems make one up when they look the
    /// item up, another after it was forgotten or mounted again.
    bool keepsInode;
    uint64_t device;
    /// The device that a device file stands for.
    uint64_t target;
    /// The mount's number in /proc/self/mountinfo, 0 where the kernel does not tell.
    uint64_t mount;
    int64_t size;
    /// Bytes stored; less than `size` for a file with holes.
    int64_t stored;
    int64_t modified;
    /// When contents or attributes were last changed (ctime); programs cannot set it.
    int64_t changed;
    int64_t accessed;
    int64_t created;
};

/// The item `name` itself, links not followed; with an empty name the open file `directory`.
int fp_status_at(int directory, const char *name, struct fp_status *status);

extern const int fp_o_path;
/// RESOLVE_BENEATH and RESOLVE_NO_MAGICLINKS of openat2(2): nothing outside the directory is reached.
extern const uint64_t fp_resolve_beneath;

/// openat2(2), close-on-exec.
int fp_openat2(int directory, const char *path, int flags, uint64_t resolve);

/// Opens a file without a name in `directory` for reading and writing (O_TMPFILE).
int fp_open_unnamed(int directory, mode_t mode);

/// Gives a file without a name its first one; EEXIST where that is taken.
int fp_name(int file, int directory, const char *name);

/// Renames, failing with EEXIST where the new name is taken; EINVAL where the file system cannot promise that.
int fp_rename_exclusive(int from, const char *old, int to, const char *new_);

/// Makes a pipe whose ends do not block and are not inherited by other programs (pipe2).
int fp_pipe(int ends[2]);

/// Makes `destination` share the blocks of `source` (FICLONE).
int fp_clone(int source, int destination);

/// copy_file_range(2) between positions.
ssize_t fp_copy_range(int source, int64_t from, int destination, int64_t to, size_t count);

/// Whether copy_file_range(2) into this file would do no more than read and write do: its file system (ext4, tmpfs) can
/// neither share blocks nor have a server copy.
bool fp_copies_plainly(int file);

/// The names of an open item's extended attributes, a 0 behind each (flistxattr(2)); with `size` 0 how long they are.
ssize_t fp_attribute_names(int file, void *names, size_t size);

/// The value of an extended attribute of `item` itself, a link not followed; with an empty name of the open item `directory`.
/// With `size` 0 how long it is; ENODATA where there is none.
ssize_t fp_attribute_at(int directory, const char *item, const char *name, void *value, size_t size);

/// Sets an extended attribute of an open item (fsetxattr(2)).
int fp_set_attribute(int file, const char *name, const void *value, size_t size);

/// Removes an extended attribute of an open item (fremovexattr(2)); ENODATA where there is none.
int fp_remove_attribute(int file, const char *name);

/// Reserves blocks for `length` bytes without changing the size; ENOSPC before the first byte is written.
int fp_reserve(int file, int64_t length);

/// Where data begins at or behind `offset`; ENXIO where only a hole is left.
int64_t fp_next_data(int file, int64_t offset);

/// Where a hole, or the end, begins at or behind `offset`.
int64_t fp_next_hole(int file, int64_t offset);

/// An entry as it stands in a buffer that getdents64(2) filled.
struct fp_entry {
    const char *name;
    size_t nameLength;
    uint64_t inode;
    /// DT_REG, DT_DIR …; DT_UNKNOWN where the file system does not tell.
    uint8_t type;
};

/// Fills `buffer` with entries; 0 behind the last.
ssize_t fp_read_entries(int directory, void *buffer, size_t size);

/// The entry at `position` of a filled buffer; returns the position of the next.
size_t fp_entry_at(const void *buffer, size_t position, struct fp_entry *entry);

/// Has a program that is to be spawned begin without the open files from the number `first` on.
int fp_spawn_closing(posix_spawn_file_actions_t *actions, int first);

/// Takes a lease for reading on a file that is open for reading (F_SETLEASE), until it is closed; EAGAIN while anyone has the
/// file open for writing.
int fp_lease(int file);

#endif
