#pragma once
#include <cuda/std/utility>
namespace thrust {
using ::cuda::std::swap;
}
