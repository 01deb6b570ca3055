// submission_metadata.yml, which Gradescope puts beside the submissions that it exports.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lab/grading/download.hpp"

namespace warpbook::lab {

struct GradescopeSubmission {
  std::vector<Student> submitters;   ///< of a group: all of them
  std::optional<std::int64_t> when;  ///< :created_at
};

/// By the name of the submission's folder: "submission_123". Error: bad_value, where it is no YAML or not of that form.
device::Expected<std::map<std::string, GradescopeSubmission>> parse_gradescope_metadata(
    std::string_view yaml);

}  // namespace warpbook::lab
