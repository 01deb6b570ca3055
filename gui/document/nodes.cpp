#include "gui/document/nodes.hpp"

#include <algorithm>
#include <variant>

#include "gui/controls/highlight.hpp"
#include "gui/exhibits/exhibit.hpp"
#include "lab/document/program.hpp"

namespace warpbook::gui {
namespace {
template <class... Visitors>
struct Overloaded : Visitors... {
  using Visitors::operator()...;
};

void set_heading(Flow& flow, const Runs& runs) {
  const Theme& theme = flow.ui().theme;
  flow.gap(12);
  flow.paragraph(runs, {21, 28, Face::bold, Face::bold, theme.t1, 0});
  flow.gap(2);
}

bool has_figure(const lab::Spans& spans) {
  return std::ranges::find(spans, lab::Span::Kind::figure, &lab::Span::kind) != spans.end();
}

/// Whether sentences of the step that begins at that node have live figures.
bool step_has_figures(const lab::Document& document, std::size_t node) {
  for (std::size_t i = node + 1; i < document.nodes.size(); ++i) {
    if (std::holds_alternative<lab::StepDirective>(document.nodes[i])) return false;
    const auto* paragraph = std::get_if<lab::Paragraph>(&document.nodes[i]);
    const auto* list = std::get_if<lab::ListBlock>(&document.nodes[i]);
    if ((paragraph && has_figure(paragraph->spans)) ||
        (list && std::ranges::any_of(list->items, has_figure)))
      return true;
  }
  return false;
}

/// Figures in the text follow the reader's run, but a sentence that calls one of them the larger cannot: so the step says which
/// runs its sentences are about.
void set_run_note(Flow& flow, const NodeContext& context) {
  const Ui& ui = flow.ui();
  const std::string run = ui.book.run_name(ui.book.inputs());
  const device::Properties* usual = device::find_gpu(device::kDefaultGpu);
  const bool as_opened = run == ui.tr("gui.compare.as-opened") && &ui.book.gpu() == usual;
  if (as_opened || !step_has_figures(context.document, context.node)) return;
  flow.paragraph(
      plain_runs(ui.tr("gui.document.run-note",
                       {{"run", run}, {"gpu", ui.book.gpu().name}, {"usual", usual->name}})),
      ui.caption_style());
}

void set_list(Flow& flow, const lab::ListBlock& list) {
  const Ui& ui = flow.ui();
  int number = 0;
  for (const lab::Spans& entry : list.items) {
    ++number;
    if (flow.drawing()) {
      const Ink ink = ui.ink();
      const float middle = flow.y() + ui.prose().line / 2;
      if (list.ordered) {
        ink.text_middle(flow.left() + 18, middle, {Face::mono, 15, ui.theme.t3},
                        std::to_string(number) + ".", Align::right);
      } else {
        ink.list()->AddCircleFilled({flow.left() + 10, middle + 1}, 2.5f, ui.theme.t3);
      }
    }
    flow.paragraph(runs_of(ui, entry), ui.prose(), 26,
                   list.ordered ? std::to_string(number) + ". " : "- ");
    flow.gap(4);
  }
}

void set_formula(Flow& flow, const lab::FormulaBlock& formula) {
  Runs runs = plain_runs(formula.text);
  runs[0].kind = Run::Kind::formula;
  runs[0].target = formula.latex;
  runs[0].displayed = true;
  flow.paragraph(runs, flow.ui().prose());
}

void set_aside(Flow& flow, const lab::Aside& aside) {
  const Ui& ui = flow.ui();
  flow.card({ui.theme.s2, 0, measure::kPadding, 12, 14}, [&](Flow& inside) {
    const float line = ui.leading(23);
    bool first = true;
    for (const lab::Spans& spans : aside.paragraphs) {
      if (!first) inside.gap(8);
      Runs runs = runs_of(ui, spans);
      if (first && !aside.kind.empty()) {
        runs.insert(runs.begin(), Run{ui.tr("gui.document.aside", {{"kind", aside.kind}}),
                                      Run::Kind::text,
                                      true,
                                      false,
                                      {}});
      }
      inside.paragraph(runs, {15, line, Face::sans, Face::bold, ui.theme.t2, ui.theme.t1});
      first = false;
    }
  });
}

void set_term(Flow& flow, const lab::TermDirective& term) {
  const Ui& ui = flow.ui();
  const float top = flow.y();
  const float line = ui.leading(23);
  flow.inset(measure::kPadding, 0, [&](Flow& inside) {
    Runs runs = runs_of(ui, term.name);
    for (Run& run : runs) run.strong = true;
    runs.push_back({ui.tr("gui.document.term-end"), Run::Kind::text, false, false, {}});
    for (Run& run : runs_of(ui, term.meaning)) runs.push_back(std::move(run));
    inside.paragraph(runs, {15, line, Face::sans, Face::bold, ui.theme.t2, ui.theme.t1});
    if (!term.opencl.empty()) {
      inside.paragraph(plain_runs(ui.tr("gui.term.opencl", {{"name", term.opencl}})),
                       {13, 20, Face::sans, Face::bold, ui.theme.t3, 0});
    }
  });
  if (flow.drawing())
    ui.ink().fill({flow.left() + 1, top + 4}, {flow.left() + 3, flow.y() - 3}, ui.theme.s4, 1);
}

void set_exhibit(Flow& flow, const std::string& id) {
  const Ui& ui = flow.ui();
  const auto [exhibit, stale] = ui.book.shown_exhibit(id);
  if (!exhibit) {
    flow.card({ui.theme.s2, 0}, [&](Flow& inside) {
      inside.paragraph(
          plain_runs(ui.tr(ui.book.report() ? "gui.exhibit.missing" : "gui.exhibit.waiting")),
          ui.caption_style());
    });
    return;
  }
  flow.gap(exhibit_panel({ui, flow.corner(), flow.width(), flow.drawing()}, *exhibit, stale));
}

/// Two exhibits to compare: side by side if each has room, else one below the other.
void set_exhibits(Flow& flow, const lab::ExhibitDirective& directive) {
  constexpr float kLeast = 220;
  const float half = (flow.width() - measure::kGap) / 2, top = flow.y();
  const bool in_a_row = !directive.beside.empty() && half >= kLeast;
  const float aside = in_a_row ? half + measure::kGap : 0;
  flow.inset(0, aside, [&](Flow& inside) { set_exhibit(inside, directive.id); });
  if (directive.beside.empty()) return;
  const float bottom = flow.y();
  flow.gap(in_a_row ? top - bottom : measure::kGap);
  flow.inset(aside, 0, [&](Flow& inside) { set_exhibit(inside, directive.beside); });
  flow.gap(std::max(0.0f, bottom - flow.y()));
}

void set_try(Flow& flow, const lab::TryDirective& directive) {
  const Ui& ui = flow.ui();
  const Runs runs = runs_of(ui, directive.text);
  const ParagraphStyle style{16, ui.leading(24), Face::sans, Face::bold, ui.theme.t1, 0};
  const float height = flow.height_of(runs, style, 46) + 18;
  const ImVec2 min = flow.corner(), max{flow.right(), flow.y() + height};
  if (flow.drawing()) {
    const Ink ink = ui.ink();
    const bool pressed = flow.pressed("try", min, max);
    const bool hovered = ImGui::IsItemHovered();
    ink.fill(min, max,
             ImGui::IsItemActive() ? ui.theme.s5
             : hovered             ? ui.theme.s4
                                   : ui.theme.s3,
             measure::kPanelRadius);
    ink.icon(Icon::play, {min.x + 20, min.y + 9 + style.line / 2}, ui.theme.accent, 15);
    if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (pressed) ui.post([wanted = case_of(directive)](Book& book) { book.set_case(wanted); });
  }
  flow.gap(9);
  flow.set_chip(ui.theme.s4);
  flow.inset(0, 14, [&](Flow& inside) { inside.paragraph(runs, style, 46 - 14); });
  flow.set_chip(0);
  flow.gap(max.y - flow.y());
}

constexpr float kCodeSize = 15, kCodeLine = 24;

/// Lines of code as the runs of one paragraph, its tokens coloured.
class CodeRuns {
 public:
  CodeRuns(const Theme& theme, const std::string& language)
      : theme_(theme), dialect_(dialect_of(language)) {}
  void line(std::string_view code) {
    if (begun_) text("\n", theme_.t1);
    begun_ = true;
    for (const Token& token : highlight(code, dialect_, in_comment_))
      text(code.substr(token.from, token.to - token.from), colour_of(token.kind, theme_));
  }
  void text(std::string_view piece, Colour colour) {
    if (runs_.empty() || runs_.back().colour != colour) {
      runs_.emplace_back();
      runs_.back().colour = colour;
    }
    runs_.back().text += piece;
  }
  void set(Flow& flow) const {
    flow.card({theme_.s2, 0, measure::kPadding, 10, 10}, [&](Flow& inside) {
      inside.paragraph(runs_, {kCodeSize, kCodeLine, Face::mono, Face::mono_bold, theme_.t1, 0});
    });
  }

 private:
  const Theme& theme_;
  Dialect dialect_;
  Runs runs_;
  bool begun_ = false, in_comment_ = false;
};

/// A whole program, with the calls of the run that is shown beside its lines; they are covered where their list is.
void set_program(Flow& flow, const lab::CodeBlock& program) {
  const Ui& ui = flow.ui();
  const auto report = ui.book.pictures();
  const bool covered = ui.book.veil(program.exhibit) != nullptr;
  const float room = flow.width() - 2 * measure::kPadding,
              column = ui.ink().width({Face::mono, kCodeSize, 0}, "0");
  CodeRuns runs(ui.theme, program.language);
  for (const lab::SetProgramLine& line :
       lab::set_program(program, covered ? nullptr : report.get(), ui.book.strings(),
                        static_cast<std::size_t>(room / column))) {
    runs.line(line.code);
    if (!line.call.empty()) runs.text(line.call, ui.theme.accent_text);
  }
  runs.set(flow);
}
}  // namespace

void set_code(Flow& flow, const std::string& language, std::string_view text) {
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  CodeRuns runs(flow.ui().theme, language);
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    runs.line(line);
  }
  runs.set(flow);
}

void set_node(Flow& flow, const lab::DocumentNode& node, const NodeContext& context) {
  const Ui& ui = flow.ui();
  std::visit(
      Overloaded{[&](const lab::Paragraph& b) { flow.paragraph(runs_of(ui, b.spans), ui.prose()); },
                 [&](const lab::Heading& b) { set_heading(flow, runs_of(ui, b.spans)); },
                 [&](const lab::ListBlock& b) { set_list(flow, b); },
                 [&](const lab::CodeBlock& b) {
                   if (b.file.empty()) {
                     set_code(flow, b.language, b.text);
                   } else {
                     set_program(flow, b);
                   }
                 },
                 [&](const lab::FormulaBlock& b) { set_formula(flow, b); },
                 [&](const lab::Aside& b) { set_aside(flow, b); },
                 [&](const lab::StepDirective& b) {
                   if (b.name != "ask") set_heading(flow, plain_runs(ui.tr("gui.step." + b.name)));
                   set_run_note(flow, context);
                 },
                 [&](const lab::PredictDirective& b) { set_predict(flow, b, context); },
                 [&](const lab::ExhibitDirective& b) { set_exhibits(flow, b); },
                 [&](const lab::TryDirective& b) { set_try(flow, b); },
                 [&](const lab::IndexDirective& b) { set_index(flow, b); },
                 [&](const lab::CompareDirective& b) { set_compare(flow, b, context); },
                 [&](const lab::ExerciseDirective& b) { set_exercise(flow, b); },
                 [&](const lab::TermDirective& b) { set_term(flow, b); }},
      node);
}

}  // namespace warpbook::gui
