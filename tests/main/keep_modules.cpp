// For AddressSanitizer's builds of what opens a window: graphics drivers stay loaded to the end. LeakSanitizer takes what
// an unloaded library's variables pointed to for lost, and cannot say whose it was.
extern "C" int dlclose(void*) { return 0; }

// MicroTeX keeps its commands for as long as the process lives, and loses a list of glyphs when it reads its font: the same
// 27 KB in every process, however many formulae are set.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:microtex::"; }
extern "C" const char* __lsan_default_options();
extern "C" const char* __lsan_default_options() { return "print_suppressions=0"; }
