// A chapter without a window: runs with parameters and a kernel of a test's own, and what is read off their reports.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "lab/experiment/lesson.hpp"

namespace warpbook::tests::chapter {

using Values = std::vector<std::pair<std::string, lab::Value>>;
Values values_of(const lab::Preset& preset);

struct Circumstances {
  std::string slot, source;  ///< the reader's kernel; "": as the chapter has it
  std::string gpu = "h200";
  std::stop_token stop;
  std::function<void(double, const lab::Message&)> progress;
};
/// With defaults for all parameters that `values` does not have, and every checker on.
lab::Report run(std::string_view slug, const Values& values, const Circumstances& with = {});

/// One for all runs.
const std::shared_ptr<device::Compiler>& compiler();

/// Read off a report of any chapter, by that chapter's own functions.
std::string answer(const lab::Report& report, std::string_view name);
std::string figure(const lab::Report& report, std::string_view name);
template <class T>
const T& exhibit(const lab::Report& report, std::string_view id) {
  const T* found = report.find_as<T>(id);
  REQUIRE(found);
  return *found;
}

/// The text of lessons/<slug>/variants/<name>.cu.
std::string variant(const std::string& slug, const std::string& name);

}  // namespace warpbook::tests::chapter
