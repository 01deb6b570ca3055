#include "gui/document/topics.hpp"

#include <algorithm>
#include <variant>

namespace warpbook::gui {

std::vector<std::string> topics_of(const lab::DocumentNode& node, const lab::Lesson& lesson) {
  std::vector<std::string> topics;
  if (const auto* predict = std::get_if<lab::PredictDirective>(&node)) {
    for (const std::string& id : predict->veils) {
      const bool figure = id.starts_with('='),
                 slot = std::ranges::find(lesson.slots, id, &lab::SourceSlot::name) !=
                        lesson.slots.end();
      if (!figure) topics.push_back(slot ? "code" : id);
    }
  } else if (std::holds_alternative<lab::IndexDirective>(node)) {
    topics = {"accesses"};
  } else if (const auto* attempt = std::get_if<lab::TryDirective>(&node)) {
    topics = {attempt->source.empty() ? "parameters" : "code"};
  } else if (std::holds_alternative<lab::ExerciseDirective>(node)) {
    topics = {"exercise"};
  } else if (std::holds_alternative<lab::CompareDirective>(node)) {
    topics = {"comparison"};
  } else if (const auto* paragraph = std::get_if<lab::Paragraph>(&node)) {
    if (std::ranges::find(paragraph->spans, lab::Span::Kind::parameter, &lab::Span::kind) !=
        paragraph->spans.end())
      topics = {"parameters"};
  }
  return topics;
}

}  // namespace warpbook::gui
