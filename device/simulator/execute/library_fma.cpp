// In a source of its own, compiled for any processor: the handlers of the SSE2 build have no instruction for it.
#include <cmath>

namespace warpbook::device::isa {

double library_fma(double a, double b, double c);

double library_fma(double a, double b, double c) { return std::fma(a, b, c); }

}  // namespace warpbook::device::isa
