// What the record of a run holds of one thread, put beside the lines of its source. Nothing is computed that the run did
// not show, but for the arithmetic of its index.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gui/book/link.hpp"
#include "lab/exhibits/exhibit.hpp"
#include "lab/report/report.hpp"

namespace warpbook::gui {

/// How many blocks and threads there are: what built-in variables are counted within.
struct LaunchShape {
  device::Dim3 grid, block;
};
/// Of the report's first exhibit that shows threads at work; none where there is none.
std::optional<LaunchShape> shape_of(const lab::Report* report);

/// A built-in variable of the thread ("blockIdx.x"), or a number itself; empty where `name` is neither.
std::string builtin_value(std::string_view name, const LaunchShape& run,
                          const Link::Thread& thread);
/// Names, numbers and signs of an expression.
std::vector<std::string> words_of(std::string_view formula);

/// The report's first exhibit of accesses; null where there is none.
const lab::Exhibit* first_accesses(const lab::Report* report);

struct LineValues {
  std::uint32_t line = 0;
  std::string full;      ///< "x[6] = 7, y[6] = 11 → out[6] = 18"
  std::string brief;     ///< "7, 11 → 18"; the same as `full` where values are unknown
  bool touches = false;  ///< the thread reached memory in this line
};
/// By line. An element's value is told where the run cannot have changed it since: in arrays that it only read, and where
/// this thread wrote it once and nobody else did. Empty where the accesses are not of this source.
std::vector<LineValues> values_of(const lab::AccessesExhibit& run, const lab::SourceExhibit& source,
                                  const Link::Thread& thread);

/// The first line that makes an index of built-in variables alone, where every thread ran it. None where there is no such line,
/// or the accesses are not of this source.
std::optional<std::string> index_line(const lab::AccessesExhibit& run,
                                      const lab::SourceExhibit& source);
/// What such a line makes of a thread of the run; none where it is no such line.
std::optional<std::int64_t> index_by(std::string_view line, const lab::AccessesExhibit& run,
                                     const Link::Thread& thread);

/// The `if` at which the threads that store nothing leave the others.
struct Guard {
  std::string condition;  ///< as the source has it: "i < n"
  bool holds = false;     ///< for those that leave
};
/// Told from how many threads ran it and the line after it. None where no line tells, or the accesses are not of this source.
std::optional<Guard> guard_of(const lab::AccessesExhibit& run, const lab::SourceExhibit& source);

}  // namespace warpbook::gui
