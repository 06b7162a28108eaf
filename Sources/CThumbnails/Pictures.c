#ifdef FP_THUMBNAILS

#include "CThumbnails.h"
#include "Vips.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static FPVips vips;

/// What libvips and its loaders warn of is said by the outcome, never on the program's standard error.
static void drop(const char *domain, int level, const char *text, void *data) {
    (void)domain, (void)level, (void)text, (void)data;
}

static int isThere;

/// libvips runs its own threads; one for each picture keeps the memory of several at once bounded, and nothing is kept.
static void load(void) {
    if (!fp_load_vips(&vips)) return;
    vips.log_set_handler("VIPS", FPGLogWarning | FPGLogInfo | FPGLogDebug, drop, NULL);
    isThere = vips.init("file-providers") == 0;
    if (!isThere) return;
    vips.concurrency_set(1);
    vips.cache_set_max(0);
}

/// Loads libvips, once. Returns whether it is there.
static int start(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return isThere;
}

static FPPictureOutcome failed(FPPictureOutcome outcome, char *message) {
    // Of libvips' lines the first says the most; the buffer belongs to all threads, so it is cleared at once.
    const char *text = vips.error_buffer();
    snprintf(message, FP_MESSAGE_LENGTH, "%.*s", (int)strcspn(text, "\n"), text);
    vips.error_clear();
    return outcome;
}

static int has_prefix(const char *text, const char *prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/// The name of the loader for these bytes, or NULL for a type that is not ours.
static const char *loader(VipsSource *source) {
    static const char *const known[] = {
        "VipsForeignLoadJpeg", "VipsForeignLoadPng", "VipsForeignLoadWebp", "VipsForeignLoadHeif",
        "VipsForeignLoadNsgif", "VipsForeignLoadTiff", "VipsForeignLoadSvg", "VipsForeignLoadPdf",
    };
    const char *name = vips.foreign_find_load_source(source);
    for (size_t index = 0; name && index < sizeof known / sizeof *known; index++) {
        if (has_prefix(name, known[index])) return name;
    }
    return NULL;
}

/// Opens the head. The caller gives the image back.
static FPPictureOutcome open_head(VipsSource *source, const char *options, VipsImage **image, char *message) {
    if (!loader(source)) return failed(FPPictureUnknownType, message);
    *image = vips.image_new_from_source(source, options, "access", FPVipsAccessSequential, NULL);
    return *image ? FPPictureDone : failed(FPPictureDamaged, message);
}

/// Seconds of the monotonic clock.
static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

typedef struct {
    double end;
    int hasPassed;
} Deadline;

static void check_deadline(VipsImage *image, void *progress, Deadline *deadline) {
    (void)progress;
    if (now() < deadline->end) return;
    deadline->hasPassed = 1;
    vips.image_set_kill(image, 1);
}

/// Encodes within the deadline: this is where the lines are decoded, shrunk and written.
static FPPictureOutcome encode(VipsImage *image, Deadline *deadline, FPPicture *picture, char *message) {
    picture->width = vips.image_get_width(image);
    picture->height = vips.image_get_height(image);
    picture->isPNG = vips.image_hasalpha(image);
    vips.image_set_progress(image, 1);
    unsigned long handler = vips.signal_connect_data(image, "eval", (FPGCallback)check_deadline, deadline, NULL, 0);
    int result = picture->isPNG
        ? vips.pngsave_buffer(image, &picture->bytes, &picture->length, "strip", 1, NULL)
        : vips.jpegsave_buffer(image, &picture->bytes, &picture->length, "strip", 1, "Q", 80, NULL);
    vips.signal_handler_disconnect(image, handler);
    if (result == 0) return FPPictureDone;
    return failed(deadline->hasPassed ? FPPictureTimedOut : FPPictureDamaged, message);
}

/// Shrinks and encodes a picture whose head was looked at.
static FPPictureOutcome shrink(
    VipsSource *source, const char *options, int width, int height, double seconds, FPPicture *picture, char *message) {
    Deadline deadline = {now() + seconds, 0};
    VipsImage *image = NULL;
    if (vips.thumbnail_source(
            source, &image, width, "height", height, "size", FPVipsSizeDown, "option_string", options,
            "export_profile", "srgb", NULL))
        return failed(FPPictureDamaged, message);
    FPPictureOutcome outcome = encode(image, &deadline, picture, message);
    vips.object_unref(image);
    return outcome;
}

// What decodes a picture at once takes up to seven bytes a pixel: of large ones there is one at a time.
static pthread_mutex_t one_large_picture = PTHREAD_MUTEX_INITIALIZER;
static const int64_t large = 16000000;

static FPPictureOutcome make(
    VipsSource *source, int page, int width, int height, FPPictureLimits limits, FPPicture *picture, char *message) {
    // A picture of which a part is missing is none; the thumbnailer's own argument of that name does not reach each loader.
    char options[64] = "[fail_on=truncated]";
    if (page > 0) snprintf(options, sizeof options, "[fail_on=truncated,page=%d]", page);
    VipsImage *head = NULL;
    FPPictureOutcome outcome = open_head(source, options, &head, message);
    if (outcome != FPPictureDone) return outcome;
    int columns = vips.image_get_width(head), lines = vips.image_get_height(head);
    int64_t pixels = (int64_t)columns * lines;
    if (pixels > limits.pixels) snprintf(message, FP_MESSAGE_LENGTH, "%d × %d pixels", columns, lines);
    vips.object_unref(head);
    if (pixels > limits.pixels) return FPPictureTooLarge;
    if (pixels > large) pthread_mutex_lock(&one_large_picture);
    outcome = shrink(source, options, width, height, limits.seconds, picture, message);
    if (pixels > large) pthread_mutex_unlock(&one_large_picture);
    return outcome;
}

FPPictureOutcome fp_picture_make(
    int descriptor, int page, int width, int height, FPPictureLimits limits, FPPicture *picture,
    char message[FP_MESSAGE_LENGTH]) {
    memset(picture, 0, sizeof *picture);
    if (!start()) return FPPictureNoLibrary;
    VipsSource *source = vips.source_new_from_descriptor(descriptor);
    if (!source) return failed(FPPictureDamaged, message);
    FPPictureOutcome outcome = make(source, page, width, height, limits, picture, message);
    vips.object_unref(source);
    return outcome;
}

FPPictureOutcome fp_picture_shrink(
    const void *bytes, size_t length, int width, int height, FPPictureLimits limits, FPPicture *picture,
    char message[FP_MESSAGE_LENGTH]) {
    memset(picture, 0, sizeof *picture);
    if (!start()) return FPPictureNoLibrary;
    VipsSource *source = vips.source_new_from_memory(bytes, length);
    if (!source) return failed(FPPictureDamaged, message);
    FPPictureOutcome outcome = make(source, 0, width, height, limits, picture, message);
    vips.object_unref(source);
    return outcome;
}

void fp_picture_free(FPPicture *picture) {
    if (picture->bytes) vips.free(picture->bytes);
    picture->bytes = NULL;
}

FPPictureOutcome fp_picture_describe(
    int descriptor, FPFieldReceiver receive, void *context, char message[FP_MESSAGE_LENGTH]) {
    if (!start()) return FPPictureNoLibrary;
    VipsSource *source = vips.source_new_from_descriptor(descriptor);
    if (!source) return failed(FPPictureDamaged, message);
    VipsImage *image = NULL;
    FPPictureOutcome outcome = open_head(source, "", &image, message);
    vips.object_unref(source);
    if (outcome != FPPictureDone) return outcome;

    int isSwapped = vips.image_get_orientation_swap(image);
    int columns = vips.image_get_width(image), lines = vips.image_get_height(image);
    char number[32];
    snprintf(number, sizeof number, "%d", isSwapped ? lines : columns);
    receive(context, "width", number);
    snprintf(number, sizeof number, "%d", isSwapped ? columns : lines);
    receive(context, "height", number);
    snprintf(number, sizeof number, "%d", vips.image_get_n_pages(image));
    receive(context, "n-pages", number);
    char **names = vips.image_get_fields(image);
    for (char **name = names; name && *name; name++) {
        const char *value = NULL;
        int isText = has_prefix(*name, "exif-ifd") || has_prefix(*name, "pdf-");
        if (isText && vips.image_get_string(image, *name, &value) == 0) receive(context, *name, value);
    }
    vips.strfreev(names);
    vips.error_clear();
    vips.object_unref(image);
    return FPPictureDone;
}

#endif
