// Runs side by side: the variants of a chapter, and the live run against one that was kept or against the original.
#include <algorithm>

#include "gui/shell/book.hpp"
#include "lab/document/markdown.hpp"

namespace warpbook::gui {
namespace {
constexpr const char* kLive = "live";
constexpr std::size_t kMostKept = 8;  // of a chapter

std::string place_of(std::size_t block) { return "block " + std::to_string(block); }
}  // namespace

lab::Inputs Book::original_inputs(const lab::Inputs& of) {
  lab::Inputs inputs = of;
  inputs.sources.clear();
  return inputs;
}

std::string Book::run_name(const lab::Inputs& inputs) const {
  std::string name;
  const auto add = [&](const std::string& text) { name += (name.empty() ? "" : ", ") + text; };
  for (const lab::Parameter& parameter : lesson_->parameters) {
    const lab::Value* value = inputs.values.find(parameter.name);
    if (value && *value != parameter.initial) add(parameter.name + " = " + lab::to_text(*value));
  }
  for (const auto& [slot, text] : inputs.sources)
    add((*strings_)("gui.compare.edited", {{"file", slot + ".cu"}}));
  return name.empty() ? (*strings_)("gui.compare.as-opened") : name;
}

const std::vector<KeptRun>& Book::kept_runs() const {
  static const std::vector<KeptRun> none;
  const auto found = lesson_ ? kept_.find(lesson_->slug) : kept_.end();
  return found == kept_.end() ? none : found->second;
}

void Book::keep_run() {
  const auto say = [&](const char* key) {
    tell({Toast::Kind::plain, (*strings_)(key), {}, {}, now() + 4});
  };
  if (!lesson_ || active_desk()) return;
  if (!report_ || stale()) {
    say("gui.compare.not-yet");
    return;
  }
  std::vector<KeptRun>& runs = kept_[lesson_->slug];
  const auto same = std::ranges::find(runs, report_->inputs_hash,
                                      [](const KeptRun& run) { return run.report->inputs_hash; });
  if (same == runs.end()) {
    if (runs.size() == kMostKept) runs.erase(runs.begin());
    runs.push_back({inputs_, report_});
    compare_with_kept(runs.size() - 1);
  } else {
    same->report = report_;
    compare_with_kept(static_cast<std::size_t>(same - runs.begin()));
  }
  say("gui.compare.kept");
}

void Book::forget_run(std::size_t index) {
  std::vector<KeptRun>& runs = kept_[lesson_->slug];
  if (index >= runs.size()) return;
  runs.erase(runs.begin() + static_cast<std::ptrdiff_t>(index));
  against_ = runs.empty() ? Against::nothing : against_;
  against_kept_ = runs.empty() ? 0 : std::min(against_kept_, runs.size() - 1);
  ++news_;
  want_live_comparison();
}

void Book::compare_with_kept(std::size_t index) {
  if (index >= kept_runs().size()) return;
  against_ = Against::kept;
  against_kept_ = index;
  active_exercise_.clear();
  ++news_;
  want_live_comparison();
}

void Book::compare_with_original() {
  if (!lesson_) return;
  if (inputs_.sources.empty()) {
    tell({Toast::Kind::plain, (*strings_)("gui.compare.unedited"), {}, {}, now() + 4});
    return;
  }
  against_ = Against::original;
  active_exercise_.clear();
  ++news_;
  want_live_comparison();
}

void Book::end_comparison() {
  if (against_ != Against::nothing) {
    against_ = Against::nothing;
    comparisons_->forget(kLive);
  } else {
    ended_block_ = compare_block_;
    compare_block_.reset();
  }
  ++news_;
}

void Book::toggle_comparison() {
  if (against_ != Against::nothing || compare_block_) {
    end_comparison();
  } else if (!kept_runs().empty()) {
    compare_with_kept(std::min(against_kept_, kept_runs().size() - 1));
  } else if (ended_block_) {
    show_comparison(*ended_block_);
  } else {
    tell({Toast::Kind::plain, (*strings_)("gui.compare.nothing-kept"), {}, {}, now() + 4});
  }
}

void Book::follow_comparison(std::optional<std::size_t> block) {
  if (block != ended_block_) ended_block_.reset();
  const auto shown = ended_block_ ? std::optional<std::size_t>() : block;
  if (shown == compare_block_) return;
  compare_block_ = shown;
  ++news_;
}

void Book::turn_to_live_run() {
  if (against_ == Against::nothing && compare_block_) end_comparison();
}

void Book::show_comparison(std::size_t block) {
  ended_block_.reset();
  compare_block_ = block;
  ++news_;
}

std::shared_ptr<const lab::Report> Book::compared_run() const {
  if (against_ == Against::kept) return kept_runs()[against_kept_].report;
  if (against_ == Against::original && report_ && original_runs_)
    return original_runs_->find(original_inputs(report_->inputs));
  return nullptr;
}

/// What the book's inputs were when this report was asked for: sources that are the original count as not edited.
lab::Inputs Book::inputs_of(const lab::Report& report) const {
  lab::Inputs inputs = report.inputs;
  std::erase_if(inputs.sources, [&](const auto& slot) {
    const auto place = std::ranges::find(lesson_->slots, slot.first, &lab::SourceSlot::name);
    return place != lesson_->slots.end() && slot.second == original(*place);
  });
  return inputs;
}

void Book::want_live_comparison() {
  if (against_ == Against::nothing || !report_ || !lesson_) return;
  if (against_ == Against::original) {
    if (!original_runs_) {
      original_runs_ =
          std::make_unique<SideRuns>(*lesson_, options_.compiler, options_.root, options_.wake);
    }
    const lab::Inputs wanted = original_inputs(report_->inputs);
    original_runs_->keep_only(wanted);
    original_runs_->want(wanted);
  }
  const auto a = compared_run();
  if (!a) return;
  const bool original = against_ == Against::original;
  const std::string name_a =
      original ? (*strings_)("gui.compare.original") : run_name(kept_runs()[against_kept_].inputs);
  comparisons_->want(kLive, {a,
                             report_,
                             lab::Message::plain(name_a),
                             lab::Message::plain(run_name(inputs_of(*report_))),
                             {}});
}

void Book::want_comparisons() {
  for (std::size_t at = 0; at < document_.blocks.size(); ++at) {
    const auto* compare = std::get_if<lab::CompareDirective>(&document_.blocks[at]);
    if (!compare || compare->variants.size() != 2) continue;
    const auto run = [&](std::size_t variant) {
      return side_report(case_of(compare->variants[variant]));
    };
    const auto name = [&](std::size_t variant) {
      return lab::Message::plain(lab::plain_text(compare->variants[variant].label));
    };
    const auto a = run(0), b = run(1);
    if (a && b) comparisons_->want(place_of(at), {a, b, name(0), name(1), compare->exhibits});
  }
  want_live_comparison();
}

std::optional<Compared> Book::live_comparison() const {
  if (against_ == Against::nothing || !lesson_) return std::nullopt;
  const Comparisons::Made made = comparisons_->find(kLive);
  const auto a = compared_run();
  Compared compared;
  compared.a = a ? a : made.pair.a;
  compared.b = report_;
  compared.relation = made.exhibit;
  compared.stale_a = !a;
  compared.stale_b = stale();
  compared.name_a = against_ == Against::original ? (*strings_)("gui.compare.original")
                                                  : run_name(kept_runs()[against_kept_].inputs);
  compared.name_b = run_name(inputs_);
  compared.stale_relation = compared.stale_b || made.pair.a != a || made.pair.b != report_;
  return compared;
}

std::optional<Compared> Book::comparison_of(std::size_t block) const {
  if (block >= document_.blocks.size()) return std::nullopt;
  const auto* compare = std::get_if<lab::CompareDirective>(&document_.blocks[block]);
  if (!compare || compare->variants.size() != 2) return std::nullopt;
  const Comparisons::Made made = comparisons_->find(place_of(block));
  Compared compared;
  compared.a = side_report(case_of(compare->variants[0]));
  compared.b = side_report(case_of(compare->variants[1]));
  compared.name_a = lab::plain_text(compare->variants[0].label);
  compared.name_b = lab::plain_text(compare->variants[1].label);
  const bool of_these = made.pair.a == compared.a && made.pair.b == compared.b;
  if (of_these) compared.relation = made.exhibit;
  return compared;
}

const lab::PredictDirective* Book::veil(const lab::Inputs& inputs, std::string_view id) const {
  return lesson_ ? lab::veiled_by(document_, *lesson_, inputs, answers_, id) : nullptr;
}

const lab::PredictDirective* Book::open_question(const lab::Inputs& inputs) const {
  for (const lab::Block& block : document_.blocks) {
    const auto* question = std::get_if<lab::PredictDirective>(&block);
    if (!question) continue;
    for (const std::string& id : question->veils) {
      if (const lab::PredictDirective* open = veil(inputs, id)) return open;
    }
  }
  return nullptr;
}

}  // namespace warpbook::gui
