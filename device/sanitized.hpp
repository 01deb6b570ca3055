// How a build with sanitizers differs: its shadow memory takes terabytes of address space, and our code runs slower.
#pragma once

namespace warpbook::device {

#if defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
inline constexpr double kSlowdown = 20;
#elif defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSanitized = true;
inline constexpr double kSlowdown = 5;
#else
inline constexpr bool kSanitized = false;
/// How many times as long as in a release our own work may take: limits in seconds are multiplied by it.
inline constexpr double kSlowdown = 1;
#endif

}  // namespace warpbook::device
