// Only names the system header, so that the module map need not know where it lies, and declares
// the one function Swift cannot call as it is: `curl_easy_setopt` takes its value through `...`.
// These are other names of the same symbol. On Linux, x86-64 and arm64, a variadic function finds
// such an argument where any other function does. (Apple's arm64 differs, but uses URLSession.)
#include <curl/curl.h>

typedef size_t (*curl_bytes_callback)(char *, size_t, size_t, void *);

CURLcode curl_easy_setopt_long(CURL *, CURLoption, long) __asm__("curl_easy_setopt");
CURLcode curl_easy_setopt_pointer(CURL *, CURLoption, const void *) __asm__("curl_easy_setopt");
CURLcode curl_easy_setopt_callback(CURL *, CURLoption, curl_bytes_callback) __asm__("curl_easy_setopt");
