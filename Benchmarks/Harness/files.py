"""Files to copy."""

import os
import shutil

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
    """Removes what the last run made, and lets the disk come to rest."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    os.sync()


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
