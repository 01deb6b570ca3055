// The includes of every build of the handlers, outside of its namespace. Handlers must not call library code that the linker
// could share between builds: only functions that are inlined or have a source of their own.
#pragma once

#include <immintrin.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "device/simulator/execute/handlers/build.hpp"
#include "device/simulator/isa/key.hpp"
#include "device/simulator/state/cluster.hpp"
#include "device/simulator/state/context.hpp"

namespace warpbook::device::isa {

/// The C library's fused multiply-add: exact on any processor.
double library_fma(double a, double b, double c);

}  // namespace warpbook::device::isa
