// The bars that a bench is held to.
#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

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

}  // namespace warpbook::bench
