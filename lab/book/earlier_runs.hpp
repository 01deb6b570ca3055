// What a reader's own kernels came to, kept with their sources: the points that a Pareto chart shows beside the kernel of now.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lab/report/report.hpp"

namespace warpbook::lab {

/// A kernel of the reader's that was right, and its figures as ParetoExhibit::Point has them.
struct EarlierRun {
  std::string setting;  ///< ParetoExhibit::setting: charts of another one do not show it
  std::string slot, source;
  double seconds = 0, low = 0, high = 0, sectors = 0, instructions = 0, memory = 0;
  friend bool operator==(const EarlierRun&, const EarlierRun&) = default;
};
using EarlierRuns = std::vector<EarlierRun>;  ///< oldest first

/// So many are kept of a chapter; then the oldest goes.
inline constexpr std::size_t kMostEarlierRuns = 60;

/// Takes in the reader's kernel of every Pareto chart in the report. One with the same figures as before only renews its source,
/// since it was a comment or a name that changed. False: nothing is new.
bool remember(EarlierRuns& runs, const Report& report);

/// The report with the earlier runs as points of its charts, the kernel of now left out. The report itself where there are none.
std::shared_ptr<const Report> with_earlier_runs(std::shared_ptr<const Report> report,
                                                const EarlierRuns& runs);

}  // namespace warpbook::lab
