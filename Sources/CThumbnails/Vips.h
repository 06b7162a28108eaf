#ifdef FP_THUMBNAILS
#include "LazyLibrary.h"
#include <vips/vips.h>

#define FP_VIPS(FUNCTION) \
    FUNCTION(vips_, init) FUNCTION(vips_, concurrency_set) FUNCTION(vips_, cache_set_max) \
    FUNCTION(vips_, error_buffer) FUNCTION(vips_, error_clear) \
    FUNCTION(vips_, source_new_from_descriptor) FUNCTION(vips_, source_new_from_memory) \
    FUNCTION(vips_, foreign_find_load_source) FUNCTION(vips_, image_new_from_source) FUNCTION(vips_, thumbnail_source) \
    FUNCTION(vips_, image_get_width) FUNCTION(vips_, image_get_height) FUNCTION(vips_, image_hasalpha) \
    FUNCTION(vips_, image_get_n_pages) FUNCTION(vips_, image_get_orientation_swap) \
    FUNCTION(vips_, image_get_fields) FUNCTION(vips_, image_get_string) \
    FUNCTION(vips_, image_set_progress) FUNCTION(vips_, image_set_kill) \
    FUNCTION(vips_, pngsave_buffer) FUNCTION(vips_, jpegsave_buffer)

typedef struct {
    FP_VIPS(FP_MEMBER)
} FPVips;

/// Finds the functions. Returns whether all are there.
static inline int fp_load_vips(FPVips *table) {
    static const char *const names[] = {"libvips.so.42", "libvips.42.dylib", NULL};
    void *library = fp_open_library(names);
    if (!library) return 0;
    FP_VIPS(FP_FIND)
    return 1;
}
#endif
