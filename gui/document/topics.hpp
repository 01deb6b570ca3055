// Which panel of the lab a piece of the text is about.
#pragma once

#include <string>
#include <vector>

#include "lab/document/document.hpp"
#include "lab/experiment/lesson.hpp"

namespace warpbook::gui {

/// Names of the panels that the node is about, the most likely first: an exhibit's id, "code", "parameters", "accesses",
/// "exercise". Empty where it is about none.
std::vector<std::string> topics_of(const lab::DocumentNode& node, const lab::Lesson& lesson);

}  // namespace warpbook::gui
