// For AddressSanitizer's builds of what opens a window: graphics drivers stay loaded to the end. LeakSanitizer takes what
// an unloaded library's variables pointed to for lost, and cannot say whose it was.
extern "C" int dlclose(void*) { return 0; }
