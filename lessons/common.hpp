// What the chapters' runs have in common: how many blocks, whether the result is right, what the host asked for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lab/lesson.hpp"

namespace warpbook::lessons {

/// What the largest of a chapter's runs may take on a slow computer before it is stopped; in seconds. Stopped runs decide
/// no question.
inline constexpr double kPatience = 20;

/// Blocks of `block` threads that cover n elements. No element, no block.
inline std::uint32_t blocks_for(std::int64_t n, std::int64_t block) {
  return static_cast<std::uint32_t>((n + block - 1) / block);
}

/// Warps of the launch: a block's threads, rounded up to whole warps.
std::uint64_t warps_of(const device::LaunchRecord& record);

/// "right" (the first five mismatches, how many of `elements` agree) and "safe" (the checkers' findings), in the
/// chapter's words, whose keys begin with `words`: "grids.check.".
lab::CheckExhibit check_of(const std::string& words, const device::LaunchRecord& record,
                           std::uint64_t elements, std::uint64_t agreeing,
                           std::vector<lab::CheckExhibit::Mismatch> mismatches);

template <class T>
lab::CheckExhibit check_of(const std::string& words, const device::LaunchRecord& record,
                           const std::vector<T>& out, const std::vector<T>& truth) {
  constexpr std::size_t kShown = 5;
  std::uint64_t agreeing = 0;
  std::vector<lab::CheckExhibit::Mismatch> mismatches;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (out[i] == truth[i]) {
      ++agreeing;
    } else if (mismatches.size() < kShown) {
      mismatches.push_back({i, std::to_string(truth[i]), std::to_string(out[i]), {}});
    }
  }
  return check_of(words, record, truth.size(), agreeing, std::move(mismatches));
}

/// How long the launch takes: on a simulated GPU an estimate, and beside it what the simulation itself took.
lab::TimingsExhibit times_of(lab::Lab& lab, const device::LaunchRecord& record);

/// A parameter from `low` to `high`, on a logarithmic scale where that is far. `words`: what its title's key begins with,
/// "grids.parameter."; `unit` is a key, too.
lab::Parameter whole_number(const std::string& words, const std::string& name, const char* unit,
                            std::int64_t initial, double low, double high);

/// What the host has asked of the device so far, a line a call: the argument "calls" of a chapter's list.
std::string host_calls(lab::Lab& lab);

// Figures read off the report; "" where it has no such exhibit.

/// The argument `name` of the text in the exhibit `id`.
std::string text_argument(const lab::Report& report, std::string_view id, std::string_view name);

std::string threads_started(const lab::Report& report);  ///< of the exhibit "geometry"
std::string blocks_started(const lab::Report& report);
std::string idle_threads(const lab::Report& report);
/// Lines of the exhibit "calls", made by host_calls(), that begin with `call`.
std::string calls_of(const lab::Report& report, std::string_view call);

}  // namespace warpbook::lessons
