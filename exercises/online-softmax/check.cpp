// online-softmax: maximum and sum of a row in one pass, the quotients in a second; rows are longer than shared memory.
#include <algorithm>
#include <utility>

#include "exercises/softmax_rows.hpp"

namespace warpbook::exercises {
namespace online_softmax_check {

void check(lab::Checker& checker) {
  lab::Trials trials(checker);
  run_short_rows(trials);
  // Lengths between those that are shown.
  for (const auto& [least, most] : {std::pair{193, 400}, {401, 768}})
    trials.run(lab::hidden(softmax_trial(2, checker.drawn(least, most), checker.draw())));
  // Few rows, since each is longer than the 48 KB of shared memory that a block may declare.
  trials.run(lab::with_gates(softmax_trial(16, 12'504, 2000)));
  // Shorter ones, whose passes count as well.
  trials.run(lab::with_gates(softmax_trial(8, 1'024, 3000)));
  trials.run(lab::with_gates(softmax_trial(8, 4'096, 4000)));
  trials.run(
      lab::hidden_with_gates(softmax_trial(3, 8 * checker.drawn(1100, 1300), checker.draw())));
  trials.run(
      lab::hidden_with_gates(softmax_trial(2, 8 * checker.drawn(1300, 1563), checker.draw())));

  trials.add_right("right");
  trials.add_safe("safe");
  trials.add_written_once("written-once", "y");
  trials.add_loads_a_word("loads", "x");
  trials.advise_below({"online-softmax.loads-advice"});
  const auto kept = [](const device::LaunchRecord& record) {
    // Where each of 32 lanes reads a maximum and a sum of each, that is 8 KiB for a row of any length.
    constexpr double kMeeting = 16 * 1024;
    const auto aside = static_cast<double>(record.total.shared_bytes + record.total.local_bytes);
    return std::max(0.0, aside - kMeeting * static_cast<double>(record.grid.count())) /
           static_cast<double>(record.total.global_bytes_asked);
  };
  trials.add_counter("kept", {"online-softmax.kept"}, {kept, [](const device::Counters& c) {
                                                         return c.shared_bytes + c.local_bytes;
                                                       }});
  trials.add_bytes_used("used");
  trials.add_shared_out("shared-out");
  trials.add_work("work");
}

}  // namespace online_softmax_check

lab::Exercise online_softmax() { return {"online-softmax", online_softmax_check::check}; }

}  // namespace warpbook::exercises
