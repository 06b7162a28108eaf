#ifdef FP_THUMBNAILS
#include "LazyLibrary.h"
#include <taglib/tag_c.h>

#define FP_TAGLIB(FUNCTION) \
    FUNCTION(taglib_, set_string_management_enabled) FUNCTION(taglib_, free) \
    FUNCTION(taglib_, file_new_type) FUNCTION(taglib_, file_free) FUNCTION(taglib_, file_is_valid) \
    FUNCTION(taglib_, file_tag) FUNCTION(taglib_, file_audioproperties) \
    FUNCTION(taglib_, tag_title) FUNCTION(taglib_, tag_artist) FUNCTION(taglib_, tag_album) FUNCTION(taglib_, tag_genre) \
    FUNCTION(taglib_, tag_comment) FUNCTION(taglib_, tag_year) FUNCTION(taglib_, tag_track) \
    FUNCTION(taglib_, audioproperties_length) FUNCTION(taglib_, audioproperties_bitrate) \
    FUNCTION(taglib_, audioproperties_samplerate) FUNCTION(taglib_, audioproperties_channels)

#define FP_MEMBER(prefix, name) __typeof__(prefix##name) *name;

typedef struct {
    FP_TAGLIB(FP_MEMBER)
} FPTagLib;

#undef FP_MEMBER

/// Finds the functions. Returns whether all are there.
static inline int fp_load_taglib(FPTagLib *table) {
    static const char *const names[] = {"libtag_c.so.0", "libtag_c.so.2", "libtag_c.dylib", NULL};
    void *library = fp_open_library(names);
    if (!library) return 0;
    FP_TAGLIB(FP_FIND)
    return 1;
}
#endif
