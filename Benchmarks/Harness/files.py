"""Files to copy."""

import os
import uuid

MEBIBYTE = 1 << 20


def make_file(path, size):
    """A file of random bytes; only the length is rounded down to MiB."""
    with open(path, "xb") as file:
        for _ in range(size // MEBIBYTE):
            file.write(os.urandom(MEBIBYTE))
    os.sync()


def make_tree(path, folders, files, size):
    """A tree of `folders` folders with `files` files each."""
    for folder in range(folders):
        os.makedirs(path / f"folder {folder:04d}")
        for number in range(files):
            with open(path / f"folder {folder:04d}" / f"file {number:04d}.bin", "xb") as file:
                file.write(os.urandom(size))


def replace(path):
    """Makes room for what the next run makes, and lets the disk come to rest.

    A tree is put aside, not removed: an ext4 without a journal looks at every inode that was freed within a minute and
    more before it finds one for a new file, which can take longer than all else.
    """
    if path.is_dir():
        path.rename(path.with_name(f"{path.name} {uuid.uuid4()}"))
    else:
        path.unlink(missing_ok=True)
    os.sync()


def remove_large_files(folder):
    """Makes room on the disk: the files of a MiB and more, which are few."""
    for name in walk(folder):
        if os.path.getsize(name) >= MEBIBYTE:
            os.unlink(name)


def expect(path, files, size):
    """Raises unless the folder holds that many files with that many bytes altogether."""
    found = [os.path.getsize(file) for file in walk(path)]
    if (len(found), sum(found)) != (files, size):
        raise RuntimeError(f"{len(found)} files with {sum(found)} bytes instead of {files} with {size}")


def walk(path):
    """All files in a folder and its folders, but those that mod_dav keeps there for itself."""
    for folder, folders, names in os.walk(path):
        folders[:] = [name for name in folders if name != ".DAV"]
        yield from (os.path.join(folder, name) for name in names)
