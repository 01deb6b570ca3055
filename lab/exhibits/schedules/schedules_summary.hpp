// Schedules: what their renderers share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lab/exhibits/schedules/schedules.hpp"

namespace warpbook::lab {

/// The outcome of a schedule; of one that did not run, none: nullptr.
const SchedulesExhibit::Outcome* outcome_of(const SchedulesExhibit& schedules, std::size_t run);

/// "✓" for the right outcome, "a" for the first wrong one, then "b" and so on; "*" where letters have run out.
std::string outcome_sign(const SchedulesExhibit& schedules, std::uint32_t outcome);

/// Which schedules came to it: "0, 3, 17".
std::string runs_text(const SchedulesExhibit& schedules, std::uint32_t outcome);

/// "writes", "reads", "changes (atomic)".
std::string kind_text(device::AccessKind kind, const Strings& strings);
/// "reads · thread 32", with the block where the two sides are in different ones.
std::string side_text(const SchedulesExhibit::Collision& collision,
                      const SchedulesExhibit::Side& side, const Strings& strings);

/// The line above which the barrier between the two sides belongs: of all places between them the last among those that the fewest braces
/// enclose, so that it stands in no if or loop which one of the lines is outside of, since every thread of the block has to come to it.
std::uint32_t line_below_barrier(const SchedulesExhibit::Collision& collision);

/// What one schedule came to, in a sentence.
std::string run_text(const SchedulesExhibit& schedules, std::size_t run, const Strings& strings);

/// A table's row for each outcome: sign, schedules, wrong elements, the first difference.
std::vector<std::string> outcome_head(const Strings& strings);
std::vector<std::string> outcome_row(const SchedulesExhibit& schedules, std::uint32_t outcome,
                                     const Strings& strings);

}  // namespace warpbook::lab
