// stable-softmax: the softmax of rows whose exponentials overflow, with masked elements and masked rows.
#include "exercises/softmax_rows.hpp"

namespace warpbook::exercises {
namespace stable_softmax_check {

void check(lab::Checker& checker) {
  lab::Trials trials(checker);
  run_short_rows(trials);
  // Rows that are no multiple of 32.
  trials.run(lab::with_gates(softmax_trial(72, 1000, 2000)));
  trials.run(lab::hidden_with_gates(
      softmax_trial(checker.drawn(8, 16), 8 * checker.drawn(9, 24), checker.draw())));
  trials.run(lab::hidden_with_gates(
      softmax_trial(checker.drawn(3, 9), 8 * checker.drawn(25, 75), checker.draw())));
  trials.run(lab::hidden_with_gates(
      softmax_trial(checker.drawn(20, 40), 8 * checker.drawn(75, 180), checker.draw())));

  trials.add_right("right");
  trials.add_safe("safe");
  trials.add_written_once("written-once", "y");
  trials.add_loads_a_word("loads", "x");
  trials.add_bytes_used("used");
  trials.add_shared_out("shared-out");
  trials.add_work("work");
}

}  // namespace stable_softmax_check

lab::Exercise stable_softmax() { return {"stable-softmax", stable_softmax_check::check}; }

}  // namespace warpbook::exercises
