// What benches share: the bars that one is held to, and its main.
#pragma once

#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "device/assembly/worker_main.hpp"

namespace warpbook::bench {

/// What was promised and not reached.
class Bars {
 public:
  void expect(bool held, std::string what) {
    if (!held) missed_.push_back(std::move(what));
  }
  [[nodiscard]] int report() const {
    for (const std::string& what : missed_) fmt::print("MISSED: {}\n", what);
    if (missed_.empty()) fmt::print("All bars are held.\n");
    return missed_.empty() ? 0 : 1;
  }

 private:
  std::vector<std::string> missed_;
};

/// The main of a bench that compiles: it is its own worker, else it measures. What it throws is said, and 1.
template <class Measure>
int main_of(int argc, char** argv, Measure&& measure) {
  const std::string_view first = argc > 1 ? argv[1] : "";
  if (first == "worker")
    return device::worker_main(std::span(argv + 2, static_cast<std::size_t>(argc - 2)));
  try {
    return measure(first);
  } catch (const std::exception& error) {
    fmt::print("{}\n", error.what());
    return 1;
  }
}

}  // namespace warpbook::bench
