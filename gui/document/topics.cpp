#include "gui/document/topics.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <variant>

namespace warpbook::gui {
namespace {
class Names {
 public:
  void add(const std::string& name) {
    if (std::ranges::find(names_, name) == names_.end()) names_.push_back(name);
  }
  void add(const lab::Spans& spans) {
    for (const lab::Span& span : spans) {
      if (span.kind == lab::Span::Kind::parameter) add(span.text);
    }
  }
  void add(const std::map<std::string, std::string>& set) {
    for (const auto& [name, value] : set) add(name);
  }
  void add(const lab::DocumentNode& node);
  [[nodiscard]] std::vector<std::string> take() { return std::move(names_); }

 private:
  std::vector<std::string> names_;
};

void Names::add(const lab::DocumentNode& node) {
  if (const auto* paragraph = std::get_if<lab::Paragraph>(&node)) {
    add(paragraph->spans);
  } else if (const auto* list = std::get_if<lab::ListBlock>(&node)) {
    for (const lab::Spans& item : list->items) add(item);
  } else if (const auto* aside = std::get_if<lab::Aside>(&node)) {
    for (const lab::Spans& paragraph_of_it : aside->paragraphs) add(paragraph_of_it);
  } else if (const auto* predict = std::get_if<lab::PredictDirective>(&node)) {
    add(predict->question);
    add(predict->set);
  } else if (const auto* attempt = std::get_if<lab::TryDirective>(&node)) {
    add(attempt->text);
    add(attempt->set);
  } else if (const auto* compare = std::get_if<lab::CompareDirective>(&node)) {
    for (const auto& variant : compare->variants) add(variant.set);
  }
}
}  // namespace

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

std::vector<std::string> parameters_named(std::span<const lab::DocumentNode* const> nodes) {
  Names names;
  for (const lab::DocumentNode* node : nodes) names.add(*node);
  return names.take();
}

}  // namespace warpbook::gui
