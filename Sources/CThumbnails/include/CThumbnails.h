#ifndef FILE_PROVIDERS_C_THUMBNAILS_H
#define FILE_PROVIDERS_C_THUMBNAILS_H

#include <stddef.h>
#include <stdint.h>

// Pictures by libvips and audio tags by TagLib, behind plain C: their headers are no business of Swift's. Both libraries are
// loaded when the first file is looked at.
// Without the package trait Thumbnails this is empty, and neither library is needed.

/// What a picture may cost.
typedef struct {
    int64_t pixels;  ///< Width times height of one page, as its head says, before anything is decoded.
    double seconds;  ///< From the beginning; looked at between the lines of the picture.
} FPPictureLimits;

/// Why a picture could not be made.
typedef enum {
    FPPictureDone,
    FPPictureUnknownType,
    FPPictureTooLarge,
    FPPictureTimedOut,
    FPPictureDamaged,
    FPPictureNoLibrary,  ///< libvips is not installed here.
} FPPictureOutcome;

/// Why an audio file could not be read.
typedef enum {
    FPAudioDone,
    FPAudioUnreadable,
    FPAudioNoLibrary,  ///< TagLib is not installed here.
} FPAudioOutcome;

/// An encoded picture: PNG where it has transparency, else JPEG.
typedef struct {
    void *bytes;
    size_t length;
    int width, height;
    int isPNG;
} FPPicture;

/// Called for each field of a file, in no particular order.
typedef void (*FPFieldReceiver)(void *context, const char *name, const char *value);

#define FP_MESSAGE_LENGTH 256

/// Makes a picture of an open file that fits into width × height, upright, in sRGB, never larger than the original.
///
/// Known are JPEG, PNG, WebP, HEIF, GIF, TIFF, SVG and PDF, by their bytes; no other of libvips' loaders is ever run.
/// A page counts from 0.
FPPictureOutcome fp_picture_make(
    int descriptor, int page, int width, int height, FPPictureLimits limits, FPPicture *picture,
    char message[FP_MESSAGE_LENGTH]);

/// The same of a picture in memory.
FPPictureOutcome fp_picture_shrink(
    const void *bytes, size_t length, int width, int height, FPPictureLimits limits, FPPicture *picture,
    char message[FP_MESSAGE_LENGTH]);

/// Gives the bytes back.
void fp_picture_free(FPPicture *picture);

/// Reads the head of a picture: `width` and `height` as it is seen, `n-pages`, and libvips' own fields as text.
FPPictureOutcome fp_picture_describe(
    int descriptor, FPFieldReceiver receive, void *context, char message[FP_MESSAGE_LENGTH]);

/// Reads an audio file's tags and properties. The type is a file extension in lower case.
FPAudioOutcome fp_audio_describe(const char *path, const char *type, FPFieldReceiver receive, void *context);

#endif
