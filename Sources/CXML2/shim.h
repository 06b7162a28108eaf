// libxml2 for Swift: the push parser.

#ifndef CXML2_SHIM_H
#define CXML2_SHIM_H

// Debian's libxml2 mentions ICU in a header; that ICU would clash with the one inside Foundation.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>

#endif
