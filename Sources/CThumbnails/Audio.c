#ifdef FP_THUMBNAILS

#include "CThumbnails.h"
#include "TagLib.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static FPTagLib taglib;
static int isThere = 0;

static void load(void) {
    isThere = fp_load_taglib(&taglib);
    // Otherwise TagLib keeps all texts in one list without a lock.
    if (isThere) taglib.set_string_management_enabled(0);
}

/// Loads TagLib, once. Returns whether it is there.
static int start(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return isThere;
}

static int type_of(const char *extension, TagLib_File_Type *type) {
    static const struct {
        const char *extension;
        TagLib_File_Type type;
    } known[] = {
        {"mp3", TagLib_File_MPEG}, {"ogg", TagLib_File_OggVorbis}, {"oga", TagLib_File_OggVorbis},
        {"flac", TagLib_File_FLAC}, {"mpc", TagLib_File_MPC}, {"wv", TagLib_File_WavPack},
        {"spx", TagLib_File_Speex}, {"tta", TagLib_File_TrueAudio}, {"m4a", TagLib_File_MP4},
        {"wma", TagLib_File_ASF},
    };
    for (size_t index = 0; index < sizeof known / sizeof *known; index++) {
        if (strcmp(known[index].extension, extension) == 0) {
            *type = known[index].type;
            return 1;
        }
    }
    return 0;
}

static void text(FPFieldReceiver receive, void *context, const char *name, char *value) {
    if (value && *value) receive(context, name, value);
    taglib.free(value);
}

static void number(FPFieldReceiver receive, void *context, const char *name, long value) {
    char digits[32];
    if (value <= 0) return;
    snprintf(digits, sizeof digits, "%ld", value);
    receive(context, name, digits);
}

FPAudioOutcome fp_audio_describe(const char *path, const char *extension, FPFieldReceiver receive, void *context) {
    TagLib_File_Type type;
    if (!type_of(extension, &type)) return FPAudioUnreadable;
    if (!start()) return FPAudioNoLibrary;
    TagLib_File *file = taglib.file_new_type(path, type);
    if (!file) return FPAudioUnreadable;
    int isValid = taglib.file_is_valid(file);
    TagLib_Tag *tag = isValid ? taglib.file_tag(file) : NULL;
    if (tag) {
        text(receive, context, "title", taglib.tag_title(tag));
        text(receive, context, "artist", taglib.tag_artist(tag));
        text(receive, context, "album", taglib.tag_album(tag));
        text(receive, context, "genre", taglib.tag_genre(tag));
        text(receive, context, "comment", taglib.tag_comment(tag));
        number(receive, context, "year", taglib.tag_year(tag));
        number(receive, context, "track", taglib.tag_track(tag));
    }
    const TagLib_AudioProperties *sound = isValid ? taglib.file_audioproperties(file) : NULL;
    if (sound) {
        number(receive, context, "seconds", taglib.audioproperties_length(sound));
        number(receive, context, "bitrate", taglib.audioproperties_bitrate(sound));
        number(receive, context, "samplerate", taglib.audioproperties_samplerate(sound));
        number(receive, context, "channels", taglib.audioproperties_channels(sound));
    }
    taglib.file_free(file);
    return isValid ? FPAudioDone : FPAudioUnreadable;
}

#endif
