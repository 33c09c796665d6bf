// Only names the system header, so that the module map need not know where it lies.
#include <png.h>
