// The real window on a private X server, whose screen is a file that can be read.
#pragma once

#include <optional>

namespace warpbook::bench {

struct OnScreen {
  double first_paint = 0;  ///< seconds from the start of the program until its page is seen
  double idle = 0;         ///< share of a core that the page takes at rest
  double megabytes =
      0;  ///< of memory: what the program has for itself, and its share of what it shares
};
/// Opens the book's first chapter at 1440 x 900 for some twenty seconds. Nothing where there is no Xvfb.
std::optional<OnScreen> measure_on_screen();

}  // namespace warpbook::bench
