// libcurl for Swift. Its `curl_easy_setopt` family is variadic, which Swift cannot call: here is one function per type.

#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

static inline CURLcode ccurl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, const void *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}

/// Body and header bytes come, or body bytes are wanted: `CURLOPT_WRITEFUNCTION`, `_HEADERFUNCTION`, `_READFUNCTION`.
static inline CURLcode ccurl_set_data_callback(
    CURL *handle, CURLoption option, size_t (*callback)(char *, size_t, size_t, void *)
) {
    return curl_easy_setopt(handle, option, callback);
}

/// The body is wanted again from a position: `CURLOPT_SEEKFUNCTION`.
static inline CURLcode ccurl_set_seek_callback(CURL *handle, int (*callback)(void *, curl_off_t, int)) {
    return curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, callback);
}

/// A request is about to be sent: `CURLOPT_PREREQFUNCTION`.
static inline CURLcode ccurl_set_request_callback(CURL *handle, int (*callback)(void *, char *, char *, int, int)) {
    return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, callback);
}

/// A socket was made and is about to be connected: `CURLOPT_SOCKOPTFUNCTION`.
static inline CURLcode ccurl_set_socket_callback(CURL *handle, int (*callback)(void *, curl_socket_t, curlsocktype)) {
    return curl_easy_setopt(handle, CURLOPT_SOCKOPTFUNCTION, callback);
}

static inline CURLcode ccurl_get_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode ccurl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode ccurl_get_certificates(CURL *handle, struct curl_certinfo **value) {
    return curl_easy_getinfo(handle, CURLINFO_CERTINFO, value);
}

static inline CURLMcode ccurl_multi_set_long(CURLM *handle, CURLMoption option, long value) {
    return curl_multi_setopt(handle, option, value);
}

/// How the transfer of a `CURLMSG_DONE` message ended: Swift does not see into the message's union.
static inline CURLcode ccurl_result(const CURLMsg *message) {
    return message->data.result;
}

#endif
