// The float64 truth of every operation: plain loops that are obviously right, one file an operation, each a line in table.inc.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lab/operation/tolerance.hpp"

namespace warpbook::lab {

/// What an operation is computed from: the scalars and inputs of its operation.toml.
struct Given {
  std::map<std::string, std::int64_t> integers;
  std::map<std::string, double> reals;
  std::map<std::string, std::vector<double>> inputs;  ///< row-major

  /// An integer scalar; a name that is not there is a bug, and throws.
  [[nodiscard]] std::int64_t size(const std::string& name) const { return integers.at(name); }
  [[nodiscard]] double real(const std::string& name) const { return reals.at(name); }
  [[nodiscard]] const std::vector<double>& input(const std::string& name) const {
    return inputs.at(name);
  }
};

/// The outputs by name. Each truth has as many values as its output has elements.
using Truths = std::map<std::string, Truth>;
using Reference = Truths (*)(const Given& given);

/// Null where the operation has none.
Reference find_reference(std::string_view operation);

}  // namespace warpbook::lab
