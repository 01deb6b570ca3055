// How long something takes: on the wall, and in processor time, which what else runs on the machine adds little to.
#pragma once

#include <time.h>

#include <algorithm>
#include <chrono>

namespace warpbook::bench {

template <class Work>
double seconds_of(Work&& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Of all threads of this process.
template <class Work>
double processor_seconds_of(Work&& work) {
  const auto now = [] {
    timespec t{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  };
  const double begin = now();
  work();
  return now() - begin;
}

/// The least of several timings: what else runs on the machine only ever adds.
class Best {
 public:
  void take(double seconds) { seconds_ = std::min(seconds_, seconds); }
  [[nodiscard]] double seconds() const { return seconds_; }

 private:
  double seconds_ = 1e9;
};

}  // namespace warpbook::bench
