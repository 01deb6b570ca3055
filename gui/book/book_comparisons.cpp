// Runs side by side: the variants of a chapter, and what the reader holds against each other of the live run, those that were
// kept, and the original.
#include <algorithm>
#include <utility>
#include <vector>

#include "gui/book/book.hpp"
#include "lab/document/markdown.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::gui {
namespace {
using SideKind = CompareSide::Kind;

constexpr const char* kOwn = "own";   // the place of the reader's comparison
constexpr std::size_t kMostKept = 8;  // of a chapter

std::string place_of(std::size_t node) { return "node " + std::to_string(node); }
}  // namespace

lab::Inputs Book::original_inputs(const lab::Inputs& of) {
  lab::Inputs inputs = of;
  inputs.sources.clear();
  return inputs;
}

std::string Book::run_name(const lab::Inputs& inputs) const {
  std::vector<std::pair<std::string, std::string>> settings;
  for (const lab::Parameter& parameter : lesson_->parameters) {
    const lab::Value* value = inputs.values.find(parameter.name);
    if (value && *value != parameter.initial)
      settings.emplace_back(parameter.name, lab::to_text(*value));
  }
  std::string name = lab::settings_text(settings);
  for (const auto& [slot, text] : inputs.sources)
    name +=
        (name.empty() ? "" : ", ") + (*strings_)("gui.compare.edited", {{"file", slot + ".cu"}});
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
  if (!lesson_ || active_attempt()) return;
  if (!report_ || stale()) {
    say("gui.compare.not-yet");
    return;
  }
  std::vector<KeptRun>& runs = kept_[lesson_->slug];
  auto same = std::ranges::find(runs, report_->inputs_hash,
                                [](const KeptRun& run) { return run.report->inputs_hash; });
  if (same == runs.end()) {
    if (runs.size() == kMostKept) runs.erase(runs.begin());
    runs.push_back({inputs_, report_});
    same = runs.end() - 1;
  } else {
    same->report = report_;
  }
  show_sides({SideKind::kept, static_cast<std::size_t>(same - runs.begin())}, {});
  say("gui.compare.kept");
}

void Book::forget_run(std::size_t index) {
  std::vector<KeptRun>& runs = kept_[lesson_->slug];
  if (index >= runs.size()) return;
  runs.erase(runs.begin() + static_cast<std::ptrdiff_t>(index));
  drop_from_comparison(index);
  ++news_;
  want_own_comparison();
}

void Book::drop_from_comparison(std::size_t gone) {
  const CompareSide live;
  for (const bool of_b : {false, true}) {
    CompareSide &here = sides_[of_b ? 1 : 0], &other = sides_[of_b ? 0 : 1];
    if (here.kind != SideKind::kept || here.kept < gone) continue;
    if (here.kept > gone) {
      --here.kept;
      continue;
    }
    here = other == live ? CompareSide{SideKind::kept, gone == 0 ? 0 : gone - 1} : live;
  }
  comparing_ = comparing_ && has_side(sides_[0]) && has_side(sides_[1]);
}

bool Book::has_side(const CompareSide& side) const {
  switch (side.kind) {
    case SideKind::live: return true;
    case SideKind::kept: return side.kept < kept_runs().size();
    case SideKind::original: return !inputs_.sources.empty();
  }
  __builtin_unreachable();
}

void Book::show_sides(CompareSide a, CompareSide b) {
  sides_ = {a, b};
  comparing_ = true;
  active_exercise_.clear();
  ++news_;
  want_own_comparison();
}

void Book::choose_side(bool of_b, CompareSide side) {
  if (!lesson_ || !has_side(side)) return;
  CompareSide &here = sides_[of_b ? 1 : 0], &other = sides_[of_b ? 0 : 1];
  if (side == other) other = here;
  here = side;
  show_sides(sides_[0], sides_[1]);
}

void Book::compare_with_original() {
  if (!lesson_) return;
  if (inputs_.sources.empty()) {
    tell({Toast::Kind::plain, (*strings_)("gui.compare.unedited"), {}, {}, now() + 4});
    return;
  }
  show_sides({SideKind::original}, {});
}

void Book::swap_sides() {
  if (comparing_) {
    show_sides(sides_[1], sides_[0]);
  } else if (compare_node_) {
    if (swapped_.erase(*compare_node_) == 0) swapped_.insert(*compare_node_);
    ++news_;
    want_comparisons();
  }
}

void Book::end_comparison() {
  if (comparing_) {
    comparing_ = false;
    comparisons_->forget(kOwn);
  } else {
    ended_node_ = compare_node_;
    compare_node_.reset();
  }
  ++news_;
}

void Book::toggle_comparison() {
  const bool two = sides_[0] != sides_[1];
  if (comparing_ || compare_node_) {
    end_comparison();
  } else if (lesson_ && two && has_side(sides_[0]) && has_side(sides_[1])) {
    show_sides(sides_[0], sides_[1]);
  } else if (!kept_runs().empty()) {
    show_sides({SideKind::kept, kept_runs().size() - 1}, {});
  } else if (ended_node_) {
    show_comparison(*ended_node_);
  } else {
    tell({Toast::Kind::plain, (*strings_)("gui.compare.nothing-kept"), {}, {}, now() + 4});
  }
}

void Book::follow_comparison(std::optional<std::size_t> node) {
  if (node != ended_node_) ended_node_.reset();
  const auto shown = ended_node_ ? std::optional<std::size_t>() : node;
  if (shown == compare_node_) return;
  compare_node_ = shown;
  ++news_;
}

void Book::turn_to_live_run() {
  if (comparing_) {
    const CompareSide live;
    if (sides_[0] != live && sides_[1] != live) choose_side(true, live);
  } else if (compare_node_) {
    end_comparison();
  }
}

void Book::show_comparison(std::size_t node) {
  ended_node_.reset();
  compare_node_ = node;
  ++news_;
}

std::shared_ptr<const lab::Report> Book::run_of(const CompareSide& side) const {
  if (side.kind == SideKind::live) return report_;
  if (side.kind == SideKind::kept) return kept_runs()[side.kept].report;
  return report_ && original_runs_ ? original_runs_->find(original_inputs(report_->inputs))
                                   : nullptr;
}

const std::string& Book::gpu_of(const CompareSide& side, const lab::Inputs& live) const {
  return side.kind == SideKind::kept ? kept_runs()[side.kept].inputs.gpu : live.gpu;
}

std::string Book::name_of(const CompareSide& side, const lab::Inputs& live) const {
  switch (side.kind) {
    case SideKind::live: return run_name(live);
    case SideKind::kept: return run_name(kept_runs()[side.kept].inputs);
    case SideKind::original: return (*strings_)("gui.compare.original");
  }
  __builtin_unreachable();
}

std::array<std::string, 2> Book::names_of_sides(const lab::Inputs& live) const {
  const auto name = [&](const CompareSide& side) {
    const device::Properties* gpu = device::find_gpu(gpu_of(side, live));
    std::string own = name_of(side, live);
    if (!gpu || gpu_of(sides_[0], live) == gpu_of(sides_[1], live)) return own;
    return (*strings_)("gui.compare.on-gpu", {{"gpu", gpu->name}, {"run", own}});
  };
  return {name(sides_[0]), name(sides_[1])};
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

void Book::want_own_comparison() {
  if (!comparing_ || !report_ || !lesson_) return;
  if (std::ranges::find(sides_, SideKind::original, &CompareSide::kind) != sides_.end()) {
    if (!original_runs_) {
      original_runs_ =
          std::make_unique<SideRuns>(*lesson_, options_.compiler, options_.root, options_.wake);
    }
    const lab::Inputs wanted = original_inputs(report_->inputs);
    original_runs_->keep_if([&](const lab::Inputs& one) { return one == wanted; });
    original_runs_->want(wanted);
    if (auto ran = original_runs_->find(wanted)) original_shown_ = std::move(ran);
  }
  const auto a = run_of(sides_[0]), b = run_of(sides_[1]);
  if (!a || !b) return;
  const auto names = names_of_sides(inputs_of(*report_));
  comparisons_->want(kOwn,
                     {a, b, lab::Message::plain(names[0]), lab::Message::plain(names[1]), {}});
}

void Book::want_comparisons() {
  for (std::size_t at = 0; at < document_.nodes.size(); ++at) {
    const auto* compare = std::get_if<lab::CompareDirective>(&document_.nodes[at]);
    if (!compare || compare->variants.size() != 2) continue;
    const std::size_t first = swapped(at) ? 1 : 0;
    const auto& in_a = compare->variants[first];
    const auto& in_b = compare->variants[1 - first];
    const auto a = side_report(case_of(in_a)), b = side_report(case_of(in_b));
    const auto name = [](const lab::CompareDirective::Variant& variant) {
      return lab::Message::plain(lab::plain_text(variant.label));
    };
    if (a && b) comparisons_->want(place_of(at), {a, b, name(in_a), name(in_b), compare->exhibits});
  }
  want_own_comparison();
}

std::optional<Compared> Book::own_comparison() const {
  if (!comparing_ || !lesson_) return std::nullopt;
  const Comparisons::Made made = comparisons_->find(kOwn);
  const auto names = names_of_sides(inputs_);
  Compared compared;
  for (const bool of_b : {false, true}) {
    const CompareSide& shown = side(of_b);
    auto& run = of_b ? compared.b : compared.a;
    bool& is_stale = of_b ? compared.stale_b : compared.stale_a;
    run = run_of(shown);
    is_stale = shown.kind == SideKind::live && stale();
    if (shown.kind == SideKind::original && !run) {
      run = original_shown_;
      is_stale = true;
    }
    (of_b ? compared.name_b : compared.name_a) = names[of_b ? 1 : 0];
    compared.follows_inputs |= shown.kind != SideKind::kept;
  }
  compared.relation = made.exhibit;
  compared.stale_relation = compared.stale_a || compared.stale_b || made.pair.a != compared.a ||
                            made.pair.b != compared.b;
  return compared;
}

std::shared_ptr<const lab::Report> Book::variant_run(const lab::CompareDirective::Variant& variant,
                                                     bool& stale) const {
  lab::Inputs wanted = inputs_of(case_of(variant));
  if (!side_) return nullptr;
  if (auto ran = side_->find(wanted)) return ran;
  wanted.gpu = earlier_gpu_;
  auto earlier = side_->find(wanted);
  stale = earlier != nullptr;
  return earlier;
}

std::optional<Compared> Book::comparison_of(std::size_t node) const {
  if (node >= document_.nodes.size()) return std::nullopt;
  const auto* compare = std::get_if<lab::CompareDirective>(&document_.nodes[node]);
  if (!compare || compare->variants.size() != 2) return std::nullopt;
  const Comparisons::Made made = comparisons_->find(place_of(node));
  const std::size_t first = swapped(node) ? 1 : 0;
  const auto& in_a = compare->variants[first];
  const auto& in_b = compare->variants[1 - first];
  Compared compared;
  compared.a = variant_run(in_a, compared.stale_a);
  compared.b = variant_run(in_b, compared.stale_b);
  compared.name_a = lab::plain_text(in_a.label);
  compared.name_b = lab::plain_text(in_b.label);
  compared.stale_relation = compared.stale_a || compared.stale_b;
  const bool of_these = made.pair.a == compared.a && made.pair.b == compared.b;
  if (of_these) compared.relation = made.exhibit;
  return compared;
}

const lab::PredictDirective* Book::veil(const lab::Inputs& inputs, std::string_view id) const {
  return lesson_ ? lab::veiled_by(document_, *lesson_, inputs, answers_, id) : nullptr;
}

const lab::PredictDirective* Book::open_question(const lab::Inputs& inputs) const {
  for (const lab::DocumentNode& node : document_.nodes) {
    const auto* question = std::get_if<lab::PredictDirective>(&node);
    if (!question) continue;
    for (const std::string& id : question->veils) {
      if (const lab::PredictDirective* open = veil(inputs, id)) return open;
    }
  }
  return nullptr;
}

}  // namespace warpbook::gui
