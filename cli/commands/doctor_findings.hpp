// What doctor looks for on this machine, and what it found.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "device/compiler/compiler.hpp"
#include "device/error.hpp"

namespace warpbook::cli {

/// One part of what Warpbook can use.
struct Finding {
  std::string
      part;  ///< "gpu", "driver", "toolkit", ...: its name is the string cli.doctor.part.<part>
  std::vector<std::string>
      found;  ///< version, file, name: what a person would want to read; empty: it is not here
  std::optional<device::Error> error;  ///< why it is not here, or cannot be used
  /// Instead of an error: a key below cli.doctor.missing, with arguments.
  std::string missing;
  std::vector<std::pair<std::string, std::string>> arguments;
  std::string remedy;  ///< the one command that mends it; empty: nothing to mend
};

/// Whether two parts fit each other.
struct Fit {
  std::string name;  ///< a key below cli.doctor.fit
  bool fits = false;
  std::vector<std::pair<std::string, std::string>> arguments;
};

struct Findings {
  std::vector<Finding> parts;
  std::vector<Fit> fits;  ///< of those parts that are here
};

/// Looks; takes a second or two. What runs somebody else's code runs in a worker.
Findings look_around(const device::Compiler::Status& compiler);

}  // namespace warpbook::cli
