// A chapter cut into screens, as a class sees it: one at a time, and each with one thing to do.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lab/document/document.hpp"

namespace warpbook::gui {

struct Screen {
  std::size_t first = 0, last = 0;  ///< nodes of the document: [first, last)
  std::string step;                 ///< of the chapter: "predict"
  std::string question;             ///< the question that it asks; empty: none
  friend bool operator==(const Screen&, const Screen&) = default;
};

/// A step begins a screen, and a question, a comparison or an exercise ends one. The pictures right below a question stay with
/// it, because its answer uncovers them; terms that are left at the end of a step stay with what uses them.
std::vector<Screen> screens_of(const lab::Document& document);

/// A whole step as one screen, which scrolls where it is longer than the screen. Empty where there is no such step.
Screen screen_of_step(const lab::Document& document, std::string_view step);

}  // namespace warpbook::gui
