// A small chapter made up for tests of the window: a lesson whose experiment computes on the host,
// and a text with a block of every kind.
#pragma once

#include <string>

#include "lab/document/document.hpp"
#include "lab/experiment/lesson.hpp"

namespace warpbook::gui::made_up {

/// A report as a run with these parameters would make it: n sums in blocks of `block` threads.
/// `source` decides what the threads do, as a kernel would: "guard" missing means strays, "n - 1 -
/// i" crosses.
void run(lab::Lab& lab);
const lab::Lesson& lesson();
lab::Document document(const std::string& language = "en");

}  // namespace warpbook::gui::made_up
