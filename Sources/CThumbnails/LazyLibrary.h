// A library that is loaded when it is first needed: libvips brings a hundred others, and a program that is linked to it
// spends more time on loading them at each start than on all that an `ls` does.
//
// A library's functions are listed once, as FUNCTION(prefix, name, …), and called as `table.name(…)`: they are found by name
// when the library is loaded.
#ifdef FP_THUMBNAILS
#include <dlfcn.h>
#include <stddef.h>

#define FP_FIND(prefix, name, ...) if (!(*(void **)&table->name = dlsym(library, #prefix #name))) return 0;

/// Opens the first of the libraries that is there; NULL if none is. It stays open.
static inline void *fp_open_library(const char *const *names) {
    void *library = NULL;
    for (; *names && !library; names++) library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
    return library;
}
#endif
