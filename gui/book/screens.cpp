#include "gui/book/screens.hpp"

#include <algorithm>
#include <variant>

namespace warpbook::gui {
namespace {
template <class Kind>
bool is(const lab::DocumentNode& node) {
  return std::holds_alternative<Kind>(node);
}

/// What a class does something with; the screen is full with one of them.
bool is_act(const lab::DocumentNode& node) {
  return is<lab::PredictDirective>(node) || is<lab::CompareDirective>(node) ||
         is<lab::ExerciseDirective>(node);
}

/// The nodes from `first` to `last` need no screen of their own.
bool only_terms(const lab::Document& document, std::size_t first, std::size_t last) {
  return std::all_of(document.nodes.begin() + static_cast<std::ptrdiff_t>(first),
                     document.nodes.begin() + static_cast<std::ptrdiff_t>(last),
                     is<lab::TermDirective>);
}

/// Where the step that begins at `first` ends.
std::size_t end_of_step(const lab::Document& document, std::size_t first) {
  const auto begin = document.nodes.begin() + static_cast<std::ptrdiff_t>(first) + 1;
  return static_cast<std::size_t>(
      std::find_if(begin, document.nodes.end(), is<lab::StepDirective>) - document.nodes.begin());
}

/// The screens of the step `step` that begins at `first`.
void cut_step(const lab::Document& document, std::size_t first, const std::string& step,
              std::vector<Screen>& screens) {
  const auto& nodes = document.nodes;
  const std::size_t end = end_of_step(document, first);
  std::size_t begun = first;
  for (std::size_t i = first; i < end; ++i) {
    if (!is_act(nodes[i])) continue;
    const auto* question = std::get_if<lab::PredictDirective>(&nodes[i]);
    std::size_t last = i + 1;
    while (question && last < end && is<lab::ExhibitDirective>(nodes[last])) ++last;
    screens.push_back({begun, last, step, question ? question->id : std::string()});
    begun = last;
    i = last - 1;
  }
  if (begun == end) return;
  if (begun > first && only_terms(document, begun, end))
    screens.back().last = end;
  else
    screens.push_back({begun, end, step, {}});
}
}  // namespace

std::vector<Screen> screens_of(const lab::Document& document) {
  std::vector<Screen> screens;
  for (std::size_t i = 0; i < document.nodes.size(); ++i) {
    if (const auto* step = std::get_if<lab::StepDirective>(&document.nodes[i]))
      cut_step(document, i, step->name, screens);
  }
  return screens;
}

Screen screen_of_step(const lab::Document& document, std::string_view step) {
  for (std::size_t i = 0; i < document.nodes.size(); ++i) {
    const auto* found = std::get_if<lab::StepDirective>(&document.nodes[i]);
    if (found && found->name == step) return {i, end_of_step(document, i), found->name, {}};
  }
  return {};
}

}  // namespace warpbook::gui
