#ifdef FP_THUMBNAILS
#include "LazyLibrary.h"

// What is used of libvips' and GLib's stable interfaces, declared here: their own headers come only with flags that link a
// program to GLib, which it would then load at each start.
typedef struct VipsImage VipsImage;
typedef struct VipsSource VipsSource;
typedef void (*FPGCallback)(void);
typedef void (*FPGLogFunction)(const char *domain, int level, const char *text, void *data);

enum { FPVipsAccessSequential = 1, FPVipsSizeDown = 2 };
enum { FPGLogWarning = 1 << 4, FPGLogInfo = 1 << 6, FPGLogDebug = 1 << 7 };

#define FP_VIPS(FUNCTION) \
    FUNCTION(vips_, init, int, (const char *program)) \
    FUNCTION(vips_, concurrency_set, void, (int threads)) \
    FUNCTION(vips_, cache_set_max, void, (int operations)) \
    FUNCTION(vips_, error_buffer, const char *, (void)) \
    FUNCTION(vips_, error_clear, void, (void)) \
    FUNCTION(vips_, source_new_from_descriptor, VipsSource *, (int descriptor)) \
    FUNCTION(vips_, source_new_from_memory, VipsSource *, (const void *bytes, size_t length)) \
    FUNCTION(vips_, foreign_find_load_source, const char *, (VipsSource *)) \
    FUNCTION(vips_, image_new_from_source, VipsImage *, (VipsSource *, const char *options, ...)) \
    FUNCTION(vips_, thumbnail_source, int, (VipsSource *, VipsImage **, int width, ...)) \
    FUNCTION(vips_, image_get_width, int, (const VipsImage *)) \
    FUNCTION(vips_, image_get_height, int, (const VipsImage *)) \
    FUNCTION(vips_, image_hasalpha, int, (VipsImage *)) \
    FUNCTION(vips_, image_get_n_pages, int, (VipsImage *)) \
    FUNCTION(vips_, image_get_orientation_swap, int, (VipsImage *)) \
    FUNCTION(vips_, image_get_fields, char **, (const VipsImage *)) \
    FUNCTION(vips_, image_get_string, int, (const VipsImage *, const char *name, const char **value)) \
    FUNCTION(vips_, image_set_progress, void, (VipsImage *, int isOn)) \
    FUNCTION(vips_, image_set_kill, void, (VipsImage *, int isOn)) \
    FUNCTION(vips_, pngsave_buffer, int, (VipsImage *, void **bytes, size_t *length, ...)) \
    FUNCTION(vips_, jpegsave_buffer, int, (VipsImage *, void **bytes, size_t *length, ...)) \
    FUNCTION(g_, log_set_handler, unsigned, (const char *domain, int levels, FPGLogFunction, void *data)) \
    FUNCTION(g_, signal_connect_data, unsigned long, \
        (void *object, const char *signal, FPGCallback, void *data, FPGCallback destroy, int flags)) \
    FUNCTION(g_, signal_handler_disconnect, void, (void *object, unsigned long handler)) \
    FUNCTION(g_, object_unref, void, (void *object)) \
    FUNCTION(g_, strfreev, void, (char **)) \
    FUNCTION(g_, free, void, (void *))

#define FP_MEMBER(prefix, name, result, arguments) result (*name) arguments;

typedef struct {
    FP_VIPS(FP_MEMBER)
} FPVips;

#undef FP_MEMBER

/// Finds the functions. Returns whether all are there.
static inline int fp_load_vips(FPVips *table) {
    static const char *const names[] = {"libvips.so.42", "libvips.42.dylib", NULL};
    void *library = fp_open_library(names);
    if (!library) return 0;
    // GLib's are found too: a library's symbols are looked for in what it depends on.
    FP_VIPS(FP_FIND)
    return 1;
}
#endif
