// The way of an error through a program: the lines of the host with what each call returned, the kernels that run beside them, where
// the error was caused, and which call was the first to tell.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "device/types.hpp"
#include "lab/markup/kind.hpp"

namespace warpbook::lab {

struct TrailExhibit {
  static constexpr std::string_view kKind = "trail";
  /// A line of the host.
  struct Step {
    std::string code;      ///< "cudaMemcpy(t, d_t, bytes, toHost);"
    std::string returned;  ///< "cudaErrorIllegalAddress"; empty: it returns nothing, as a launch
    bool failed = false;   ///< what it returned is an error
    bool reached = true;   ///< false: the program had ended before
    friend bool operator==(const Step&, const Step&) = default;
  };
  /// A kernel, from the step that launches it to the one that waits for it, or to the last of all steps where none does.
  struct Kernel {
    std::string name;
    std::uint32_t launched = 0, done = 0;  ///< steps
    bool failed = false;                   ///< it did something that it may not
    friend bool operator==(const Kernel&, const Kernel&) = default;
  };
  std::vector<Step> steps;
  std::vector<Kernel> kernels;
  /// Where the error was caused: a step; and where it was caused by a kernel that runs since then, which one.
  std::optional<std::uint32_t> cause, cause_kernel;
  std::optional<std::uint32_t> told;  ///< the first step that returned it; none: no call tells
  Message how;                        ///< what was wrong, in a sentence; empty without a cause
  friend bool operator==(const TrailExhibit&, const TrailExhibit&) = default;
};

template <class V>
void fields(V&& visit, Is<TrailExhibit::Step> auto& v) {
  visit("code", v.code);
  visit("returned", v.returned);
  visit("failed", v.failed);
  visit("reached", v.reached);
}

template <class V>
void fields(V&& visit, Is<TrailExhibit::Kernel> auto& v) {
  visit("name", v.name);
  visit("launched", v.launched);
  visit("done", v.done);
  visit("failed", v.failed);
}

template <class V>
void fields(V&& visit, Is<TrailExhibit> auto& v) {
  visit("steps", v.steps);
  visit("kernels", v.kernels);
  visit("cause", v.cause);
  visit("cause_kernel", v.cause_kernel);
  visit("told", v.told);
  visit("how", v.how);
}
/// Steps and kernels that are named are there, in this order.
bool valid(const TrailExhibit& v);

/// How many steps return something, and how many of those an error.
std::uint64_t returning_steps(const TrailExhibit& trail);
std::uint64_t failed_steps(const TrailExhibit& trail);
/// All of one step in a few sentences; they count from 1.
std::string step_text(const TrailExhibit& trail, std::size_t step, const Strings& strings);

std::string sentence_of(const TrailExhibit& trail, const Strings& strings);
void text_body(const TrailExhibit& trail, const Strings& strings, Page& page);
std::string html_body(const TrailExhibit& trail, const Strings& strings,
                      const std::string& caption);
Table table_of(const TrailExhibit& trail, const Strings& strings);
void compare(const TrailExhibit& a, const TrailExhibit& b, Comparer& comparer);

}  // namespace warpbook::lab
