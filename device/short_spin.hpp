// A wait for an event that is expected within microseconds.
#pragma once

#include <chrono>
#include <thread>

namespace warpbook::device {

/// How long a wait polls before it sleeps: about as long as sleeping and being woken takes.
inline constexpr std::chrono::microseconds kShortSpin{50};

/// Asks `ready` again and again for kShortSpin; gives what it said last. With one processor, whoever is waited for
/// could not go on meanwhile, and it is asked once.
template <class Ready>
bool short_spin(const Ready& ready) {
  static const bool alone = std::thread::hardware_concurrency() == 1;  // reads files each time
  if (ready()) return true;
  if (alone) return false;
  const auto end = std::chrono::steady_clock::now() + kShortSpin;
  do {
    for (int i = 0; i < 16; ++i) {
      __builtin_ia32_pause();
      if (ready()) return true;
    }
    // Who is waited for may be ready to run on this very processor.
    std::this_thread::yield();
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

}  // namespace warpbook::device
