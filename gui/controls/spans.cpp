#include "gui/controls/spans.hpp"

namespace warpbook::gui {

namespace {
/// `figure_text` gives the text of a live figure by its name.
template <class FigureText>
Runs made_runs(const Ui& ui, const lab::Spans& spans, bool covering, FigureText figure_text) {
  Runs runs;
  for (const lab::Span& span : spans) {
    Run run;
    run.strong = span.strong;
    run.emphasis = span.emphasis;
    run.text = span.text;
    run.target = span.target;
    switch (span.kind) {
      case lab::Span::Kind::text: break;
      case lab::Span::Kind::code: run.kind = Run::Kind::code; break;
      case lab::Span::Kind::figure:
        run.kind = Run::Kind::figure;
        run.text = lab::typeset(figure_text(span.text));
        if (covering && ui.book.veil("=" + span.text)) {
          run.kind = Run::Kind::veiled;
          run.text = "    ";
        } else if (run.text.empty()) {
          run.text = "–";
        }
        break;
      case lab::Span::Kind::parameter:
        run.kind = Run::Kind::parameter;
        run.target = span.text;
        if (const lab::Value* value = ui.book.inputs().values.find(span.text)) {
          // A picture that was not given has no value.
          const std::string says = ui.book.value_text(span.text, *value);
          if (!says.empty()) run.text = span.text + " = " + says;
        }
        break;
      case lab::Span::Kind::link: run.kind = Run::Kind::link; break;
      case lab::Span::Kind::formula: run.kind = Run::Kind::formula; break;
    }
    runs.push_back(std::move(run));
  }
  return runs;
}
}  // namespace

Runs runs_alone(const lab::Spans& spans) {
  Runs runs;
  for (const lab::Span& span : spans) {
    Run run;
    run.text = span.kind == lab::Span::Kind::figure ? "…" : span.text;
    run.target = span.target;
    run.strong = span.strong;
    run.emphasis = span.emphasis;
    run.kind = span.kind == lab::Span::Kind::link      ? Run::Kind::link
               : span.kind == lab::Span::Kind::formula ? Run::Kind::formula
               : span.kind == lab::Span::Kind::code || span.kind == lab::Span::Kind::parameter
                   ? Run::Kind::code
                   : Run::Kind::text;
    runs.push_back(std::move(run));
  }
  return runs;
}

Runs runs_of(const Ui& ui, const lab::Spans& spans) {
  return made_runs(ui, spans, true, [&](const std::string& name) { return ui.book.figure(name); });
}

Runs uncovered_runs_of(const Ui& ui, const lab::Spans& spans) {
  return made_runs(ui, spans, false, [&](const std::string& name) { return ui.book.figure(name); });
}

Runs runs_of(const Ui& ui, const lab::Spans& spans, const lab::Report* report) {
  return made_runs(ui, spans, false,
                   [&](const std::string& name) { return ui.book.figure(name, report); });
}

}  // namespace warpbook::gui
