// How long something takes.
#pragma once

#include <algorithm>
#include <chrono>

namespace warpbook::bench {

template <class Work>
double seconds_of(Work&& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
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
