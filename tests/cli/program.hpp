// Runs the real binary as a user would, with a home of its own, and keeps what it said.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "lab/text/strings.hpp"
#include "tests/says.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::tests {

struct Outcome {
  int code = -1;  ///< the exit code; 128 + signal where it was killed
  std::string out, err;
};

/// The strings of lang/en.
const lab::Strings& english();

std::string read_whole(const std::filesystem::path& file);

/// WARPBOOK_BINARY with `arguments`. Its home is shared by one test program and starts empty; `environment` adds or
/// replaces variables ("" removes one).
Outcome warpbook(const std::vector<std::string>& arguments,
                 const std::map<std::string, std::string>& environment = {},
                 const std::string& input = {});

/// That a text says the sentence of this key in English (says.hpp), of any table of lang/en.
Says said(std::string key, device::MessageArguments arguments = {});
/// Names in English, as sentences list them: "rows and columns".
device::Message names(const std::vector<std::string>& all);

}  // namespace warpbook::tests
