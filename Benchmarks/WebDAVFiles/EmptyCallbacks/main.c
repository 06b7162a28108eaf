// Parses FILE with libxml2's push parser in pieces of PIECE bytes and does nothing with what it finds: no reader of XML
// that is built on libxml2 can be faster. Prints the processor seconds that parsing took, and the elements.

#include <libxml/parser.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void start(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespaces,
                  const xmlChar **namespace_list, int attributes, int defaulted, const xmlChar **attribute_list) {
    ++*(long *)context;
}

static void end(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {}

static void text(void *context, const xmlChar *text, int length) {}

static double processor_time(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/// The whole of the file, or NULL.
static char *contents(const char *path, long *length) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0 || (*length = ftell(file)) < 0) return NULL;
    rewind(file);
    char *bytes = malloc((size_t)*length);
    if (bytes && fread(bytes, 1, (size_t)*length, file) != (size_t)*length) return NULL;
    fclose(file);
    return bytes;
}

int main(int argc, char **argv) {
    if (argc != 3) return 64;
    long length, elements = 0;
    long piece = atol(argv[2]);
    char *bytes = contents(argv[1], &length);
    if (!bytes || piece <= 0) return 1;

    xmlSAXHandler events = {
        .initialized = XML_SAX2_MAGIC,
        .startElementNs = start,
        .endElementNs = end,
        .characters = text,
        .ignorableWhitespace = text,
    };
    double began = processor_time();
    xmlParserCtxtPtr parser = xmlCreatePushParserCtxt(&events, &elements, NULL, 0, NULL);
    xmlCtxtUseOptions(parser, XML_PARSE_NONET);
    for (long offset = 0; offset < length; offset += piece) {
        int count = (int)(length - offset < piece ? length - offset : piece);
        if (xmlParseChunk(parser, bytes + offset, count, 0) != 0) return 1;
    }
    if (xmlParseChunk(parser, NULL, 0, 1) != 0) return 1;
    double seconds = processor_time() - began;
    xmlFreeParserCtxt(parser);
    printf("%.6f %ld\n", seconds, elements);
    return 0;
}
