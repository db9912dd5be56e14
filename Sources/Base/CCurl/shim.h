#ifndef FINDMYBIKE_CCURL_SHIM_H
#define FINDMYBIKE_CCURL_SHIM_H

#include <curl/curl.h>

// Up to libcurl 8.12 an enumerator and since then a macro, which Swift imports as different types.
static const long findmybike_use_ssl_all = CURLUSESSL_ALL;

// Swift cannot call variadic C functions: one inline function for each kind of argument that the options take
// (https://curl.se/libcurl/c/curl_easy_setopt.html, https://curl.se/libcurl/c/curl_easy_getinfo.html).

static inline CURLcode findmybike_setopt_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode findmybike_setopt_offset(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode findmybike_setopt_pointer(CURL *handle, CURLoption option, const void *value) {
    return curl_easy_setopt(handle, option, value);
}

typedef size_t (*findmybike_data_callback)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode findmybike_setopt_data(CURL *handle, CURLoption option, findmybike_data_callback callback) {
    return curl_easy_setopt(handle, option, callback);
}

static inline CURLcode findmybike_setopt_progress(CURL *handle, curl_xferinfo_callback callback) {
    return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, callback);
}

static inline CURLcode findmybike_setopt_open_socket(CURL *handle, curl_opensocket_callback callback) {
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, callback);
}

static inline CURLMcode findmybike_multi_setopt_long(CURLM *handle, CURLMoption option, long value) {
    return curl_multi_setopt(handle, option, value);
}

static inline CURLcode findmybike_getinfo_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode findmybike_getinfo_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode findmybike_getinfo_string(CURL *handle, CURLINFO info, const char **value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode findmybike_getinfo_socket(CURL *handle, curl_socket_t *socket) {
    return curl_easy_getinfo(handle, CURLINFO_ACTIVESOCKET, socket);
}

#endif
