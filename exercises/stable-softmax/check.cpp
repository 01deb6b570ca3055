// stable-softmax: the softmax of rows whose exponentials overflow, with masked elements and masked rows.
#include "exercises/softmax_rows.hpp"

namespace warpbook::exercises {
namespace stable_softmax_check {

void check(lab::Checker& checker) {
  lab::Trials trials(checker);
  run_short_rows(trials);
  // The gate size: 72 blocks, rows that are no multiple of 32.
  trials.run(softmax_trial(72, 1000, 2000));

  trials.add_right("right");
  trials.add_safe("safe");
  trials.add_written_once("written-once", "y");
  trials.add_loads_a_word("loads", "x");
  trials.add_bytes_used("used");
  trials.add_blocks_writing("all-blocks");
  trials.add_longest_warp("longest-warp");
}

}  // namespace stable_softmax_check

lab::Exercise stable_softmax() { return {"stable-softmax", stable_softmax_check::check}; }

}  // namespace warpbook::exercises
