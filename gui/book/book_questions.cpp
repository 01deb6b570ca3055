// Questions: what decides them, and what they keep covered.
#include <algorithm>

#include "gui/book/book.hpp"

namespace warpbook::gui {

std::shared_ptr<const lab::Report> Book::side_report(const Case& wanted) const {
  return side_ ? side_->find(inputs_of(wanted)) : nullptr;
}

void Book::answer(const std::string& id, const std::string& value) {
  if (answers_.contains(id)) return;
  answers_[id] = value;
  ++edits_;
  for (const lab::DocumentNode& node : document_.nodes) {
    const auto* predict = std::get_if<lab::PredictDirective>(&node);
    if (!predict || predict->id != id) continue;
    lab::Inputs wanted = shown_inputs_of(case_of(*predict));
    active_exercise_.clear();
    turn_to_live_run();
    if (wanted == inputs_) return;
    set_inputs(std::move(wanted));
    if (!live_) request({});
  }
}

std::optional<std::string> Book::right_value(const lab::PredictDirective& predict) const {
  const auto report = side_report(case_of(predict));
  return report ? lab::computed_answer(predict, *lesson_, *report) : std::nullopt;
}

const lab::PredictDirective* Book::veil(std::string_view id) const {
  return lesson_ ? lab::veiled_by(document_, *lesson_, inputs_, answers_, id) : nullptr;
}

std::string Book::figure(std::string_view name, const lab::Report* report) const {
  if (!report || !lesson_) return {};
  const auto found = std::ranges::find(lesson_->figures, name, &lab::LiveFigure::name);
  return found == lesson_->figures.end() ? std::string() : found->value(*report);
}

}  // namespace warpbook::gui
