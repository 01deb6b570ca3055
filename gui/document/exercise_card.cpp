// An exercise in the text: its task, what the check found, hints, and the solution once it passed.
// Its editor is in the lab.
#include <map>

#include "gui/document/nodes.hpp"
#include "gui/exhibits/panels.hpp"

namespace warpbook::gui {
namespace {
constexpr float kPoints = 120;  ///< room for the points, beside the title
constexpr Icon kPlay = Icon::play, kBulb = Icon::bulb, kStop = Icon::stop;

/// A task or a hint as a document; each text is parsed once.
const lab::Document& parsed_task(const std::string& text, const std::string& language) {
  static std::map<std::string, lab::Document> parsed;
  if (parsed.size() > 64) parsed.clear();
  const auto [entry, added] = parsed.try_emplace(text);
  if (added) {
    const std::string titled =
        text.starts_with("# ") ? text : "# -\n\n" + text;  // a document begins with its title
    if (auto document = lab::parse_document(titled, "text", language)) {
      entry->second = std::move(*document);
    } else {  // a text that is no document is shown as it is
      lab::Span span;
      span.text = text;
      entry->second.nodes.emplace_back(lab::Paragraph{{span}});
    }
  }
  return entry->second;
}

void set_nodes(Flow& flow, const std::string& text) {
  const lab::Document& document = parsed_task(text, flow.ui().book.language());
  const NodeContext context{document, 0, 0, {}};
  bool first = true;
  for (const lab::DocumentNode& node : document.nodes) {
    if (!first) flow.gap(10);
    set_node(flow, node, context);
    first = false;
  }
}

void set_progress(Flow& flow, const ExerciseAttempt& attempt,
                  const ExerciseAttempt::Progress& progress) {
  const Ui& ui = flow.ui();
  if (flow.drawing()) {
    const Ink ink = ui.ink();
    const std::string what =
        progress.what.empty() ? ui.tr("gui.exercise.checking") : ui.tr(progress.what);
    ink.text_middle(flow.left(), flow.y() + 12, ui.label(), what);
    const ButtonLook look{ButtonKind::plain, measure::kCardButton, &kStop};
    const std::string label = ui.tr("gui.cancel");
    const float width = button_width(ui, label, look);
    if (button(ui, "cancel check", {flow.right() - width, flow.y() - 1}, label, look)) {
      ui.post([id = attempt.id()](Book& book) { book.attempt(id)->cancel(); });
    }
    progress_bar(ui, {flow.left(), flow.y() + 32}, flow.width(),
                 static_cast<float>(progress.fraction));
  }
  flow.gap(44);
}

void set_buttons(Flow& flow, const ExerciseAttempt& attempt) {
  const Ui& ui = flow.ui();
  const std::string& id = attempt.id();
  if (flow.drawing()) {
    float x = flow.left();
    const float y = flow.y();
    const auto place = [&](const char* name, const std::string& label, const ButtonLook& look) {
      const float width = button_width(ui, label, look);
      const bool pressed = button(ui, name, {x, y}, label, look);
      x += width + 8;
      return pressed;
    };
    const std::string check =
        ui.tr(attempt.result() ? "gui.exercise.check-again" : "gui.exercise.check");
    if (place("check", check,
              {ButtonKind::primary, measure::kButton, &kPlay, 0, ui.keys_of("run")})) {
      ui.post([id](Book& book) { book.attempt(id)->check(); });
    }
    if (const lab::Hint* hint = attempt.hint();
        hint && attempt.tiers_shown() < static_cast<int>(hint->tiers.size())) {
      const std::string label =
          ui.tr("gui.exercise.hint", {{"number", std::to_string(attempt.tiers_shown() + 1)},
                                      {"total", std::to_string(hint->tiers.size())}});
      if (place("hint", label, {ButtonKind::plain, measure::kButton, &kBulb, ui.theme.warn})) {
        ui.post([id](Book& book) { book.show_next_hint(id); });
      }
    }
    if (attempt.passed() && !attempt.solution() && attempt.text()->reveal == "after-pass") {
      if (place("solution", ui.tr("gui.exercise.solution"), {ButtonKind::plain})) {
        ui.post([id](Book& book) { book.attempt(id)->show_solution(); });
      }
    }
  }
  flow.gap(measure::kButton);
}

void set_result(Flow& flow, const ExerciseAttempt& attempt) {
  const Ui& ui = flow.ui();
  const auto result = attempt.result();
  if (!result) return;
  if (!result->graded) {
    flow.paragraph(plain_runs(ui.tr("gui.exercise.not-graded")),
                   {15, 22, Face::sans, Face::bold, ui.theme.warn, 0});
    flow.gap(6);
  }
  for (const device::Error& error : result->report.errors) {
    flow.paragraph(runs_with_code(ui.tr(error)), {15, 22, Face::sans, Face::bold, ui.theme.bad, 0});
    flow.gap(6);
  }
  if (const auto* check = result->report.find_as<lab::CheckExhibit>("check")) {
    const float top = flow.y();
    flow.gap(
        figure_of(FigureArea{ui, flow.corner(), flow.width(), flow.drawing()}, *check, "check"));
    if (attempt.stale() && flow.drawing()) {
      ui.ink().fill({flow.left(), top}, {flow.right(), flow.y()}, fade(ui.theme.s2, 0.55f));
    }
    flow.gap(8);
  }
  if (attempt.stale()) {
    flow.paragraph(plain_runs(ui.book.stale_reason(attempt)), ui.caption_style());
    flow.gap(8);
  }
}
}  // namespace

void set_exercise(Flow& flow, const lab::ExerciseDirective& exercise) {
  const Ui& ui = flow.ui();
  const ExerciseAttempt* attempt = ui.book.attempt(exercise.id);
  if (!attempt || !attempt->text()) {
    const std::string why = attempt && attempt->error()
                                ? ui.tr(*attempt->error())
                                : ui.tr("gui.exercise.missing", {{"id", exercise.id}});
    flow.card({ui.theme.s2, ui.theme.bad},
              [&](Flow& inside) { inside.paragraph(plain_runs(why), ui.prose()); });
    return;
  }
  const lab::ExerciseText& text = *attempt->text();
  const auto result = attempt->result();
  const auto progress = attempt->progress();
  if (flow.drawing()) ImGui::PushID(exercise.id.c_str());
  flow.card(
      {ui.theme.s2, attempt->passed() ? ui.theme.ok : ui.theme.accent, 20, 0, 16},
      [&](Flow& inside) {
        if (inside.drawing()) {
          const Ink ink = ui.ink();
          const float middle = inside.y() + 22;
          if (attempt->passed())
            ink.icon(Icon::check, {inside.left() + 8, middle}, ui.theme.ok, 16, ui.theme.s2);
          const int points =
              result && !attempt->stale() ? result->points : attempt->reached().points;
          ink.text_middle(inside.right(), middle, ui.note(),
                          ui.tr("gui.exercise.points", {{"points", std::to_string(points)},
                                                        {"total", std::to_string(text.points)}}),
                          Align::right);
        }
        inside.gap(10);
        inside.inset(attempt->passed() ? 26.0f : 0.0f, kPoints, [&](Flow& title) {
          title.paragraph(plain_runs(text.title), {16, 24, Face::bold, Face::bold, ui.theme.t1, 0});
        });
        inside.gap(10);
        set_nodes(inside, text.task);
        inside.gap(14);
        set_result(inside, *attempt);
        for (int tier = 0; tier < attempt->tiers_shown(); ++tier) {
          inside.card({ui.theme.s3, ui.theme.warn, 14, 8, 10}, [&](Flow& note) {
            note.set_chip(ui.theme.s4);
            set_nodes(note, attempt->hint_text(tier, ui.book.strings()));
            note.set_chip(0);
          });
          inside.gap(8);
        }
        inside.pivot();
        if (progress.running && progress.seconds > 0.2) {
          set_progress(inside, *attempt, progress);
        } else {
          set_buttons(inside, *attempt);
        }
        if (!attempt->saved_in().empty()) {
          inside.gap(8);
          inside.paragraph(
              plain_runs(ui.tr("gui.exercise.saved-in", {{"file", attempt->saved_in()}})),
              ui.caption_style());
        }
        if (attempt->solution()) {
          inside.gap(14);
          inside.paragraph(plain_runs(ui.tr("gui.exercise.solution")),
                           {15, 22, Face::bold, Face::bold, ui.theme.t1, 0});
          inside.gap(4);
          inside.card({ui.theme.s1, 0, 4, 2, 2}, [&](Flow& well) {
            set_code(well, std::string(lab::language_of(text.submission)), *attempt->solution());
          });
        }
      });
  if (flow.drawing()) ImGui::PopID();
}

}  // namespace warpbook::gui
