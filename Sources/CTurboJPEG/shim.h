// Only names the system header, so that the module map need not know where it lies.
#include <turbojpeg.h>
