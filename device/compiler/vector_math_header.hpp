// A stand-in for helper_math.h of NVIDIA's samples, which course programs include and do not always bring along.
#pragma once

namespace warpbook::device {

/// Arithmetic on float2 to float4, int2 to int4 and uint2 to uint4, component by component, and the functions of geometry
/// and shading that go with it.
extern const char* const kVectorMath;

}  // namespace warpbook::device
