// A chapter for a terminal.
#include <algorithm>
#include <filesystem>

#include "lab/document/directive.hpp"
#include "lab/document/document.hpp"
#include "lab/document/markdown.hpp"
#include "lab/document/program.hpp"
#include "lab/document/question_gpu.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/render/render.hpp"
#include "lab/text/text_layout.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

class TextPage {
 public:
  TextPage(const Document& document, const Lesson& lesson, const Report* report,
           const Strings& strings, const AnswersGiven& given, const DecidingRuns& deciding,
           int width)
      : document_(document),
        lesson_(lesson),
        report_(report),
        strings_(strings),
        given_(given),
        deciding_(deciding),
        width_(static_cast<std::size_t>(std::max(width, 20))) {}

  std::string run() {
    line(document_.title);
    line(std::string(static_cast<std::size_t>(std::max(columns_of(document_.title), 1)), '='));
    line("");
    for (const DocumentNode& block : document_.nodes)
      std::visit([&](const auto& value) { write(value); }, block);
    while (text_.ends_with("\n\n")) text_.pop_back();
    return std::move(text_);
  }

 private:
  void line(std::string_view text) {
    text_ += text;
    text_ += '\n';
  }
  // `lead` stands before the first line and is the indentation of the others.
  void paragraph(const std::string& text, const std::string& lead = "") {
    const auto indent = static_cast<std::size_t>(columns_of(lead));
    std::vector<std::string> lines = wrap(text, width_, indent);
    lines.front() = lead + (lines.front().empty() ? "" : lines.front().substr(indent));
    for (const std::string& each : lines) line(each);
  }

  const PredictDirective* veil_of(std::string_view id, const Report* report) const {
    return report ? veiled_by(document_, lesson_, report->inputs, given_, id) : nullptr;
  }
  std::string figure(const std::string& name, const Report* report) const {
    if (veil_of("=" + name, report)) return strings_("document.figure-veiled");
    for (const LiveFigure& candidate : lesson_.figures) {
      if (candidate.name != name || !report) continue;
      std::string value = candidate.value(*report);
      if (!value.empty()) return typeset(std::move(value));
    }
    return strings_("document.figure-unknown");
  }
  /// "n = 4": nothing on the page beside a terminal's text tells how it is set. Of a path the last part alone; the name by
  /// itself where there is no run, or no value.
  static std::string parameter(const std::string& name, const Report* report) {
    const Value* value = report ? report->inputs.values.find(name) : nullptr;
    if (!value) return name;
    const std::string last = std::filesystem::path(to_text(*value)).filename().string();
    return last.empty() ? name : name + " = " + typeset(last);
  }
  std::string written(const Spans& spans) const { return written(spans, report_); }
  // With the figures of `report`.
  std::string written(const Spans& spans, const Report* report) const {
    std::string text;
    for (const Span& span : spans) {
      switch (span.kind) {
        case Span::Kind::text:
        case Span::Kind::formula: text += span.text; break;
        case Span::Kind::code: text += '`' + span.text + '`'; break;
        case Span::Kind::parameter: text += '`' + parameter(span.text, report) + '`'; break;
        case Span::Kind::figure: text += figure(span.text, report); break;
        case Span::Kind::link:
          text += span.text;
          if (span.target.starts_with("https://") && span.target != span.text)
            text += " <" + span.target + ">";
          break;
      }
    }
    return text;
  }
  static std::string flags(const std::map<std::string, std::string>& set) {
    std::string text;
    for (const auto& [name, value] : set) text += " --set " + name + "=" + value;
    return text;
  }
  void show_exhibit(const std::string& id) {
    const Exhibit* exhibit = report_ ? report_->find(id) : nullptr;
    if (const PredictDirective* question = veil_of(id, report_)) {
      const std::string name = exhibit ? strings_(exhibit->title) : id;
      paragraph(strings_("document.veiled", {{"exhibit", name}, {"question", question->id}}), "  ");
    } else if (exhibit) {
      text_ += to_text(*exhibit, strings_, static_cast<int>(width_));
      if (!text_.ends_with('\n')) text_ += '\n';
    } else {
      paragraph(strings_("document.no-run", {{"exhibit", id}}), "  ");
    }
    line("");
  }

  void write(const Paragraph& block) {
    paragraph(written(block.spans));
    line("");
  }
  void write(const Heading& block) {
    const std::string text = written(block.spans);
    line(text);
    line(std::string(static_cast<std::size_t>(std::max(columns_of(text), 1)), '-'));
    line("");
  }
  void write(const ListBlock& block) {
    for (std::size_t i = 0; i < block.items.size(); ++i) {
      paragraph(written(block.items[i]), block.ordered ? std::to_string(i + 1) + ". " : "- ");
    }
    line("");
  }
  void write(const CodeBlock& block) {
    if (!block.file.empty()) return write_program(block);
    std::string_view rest = block.text;
    while (!rest.empty()) {
      const std::string_view each = rest.substr(0, rest.find('\n'));
      line(each.empty() ? "" : "    " + std::string(each));
      rest.remove_prefix(std::min(rest.size(), each.size() + 1));
    }
    line("");
  }
  void write_program(const CodeBlock& block) {
    constexpr std::size_t kIndent = 4;
    const Report* report = veil_of(block.exhibit, report_) ? nullptr : report_;
    const std::string indent(kIndent, ' ');
    for (const SetProgramLine& set :
         set_program(block, report, strings_, width_ - std::min(width_, kIndent))) {
      const std::string shown = set.code + set.call;
      if (shown.empty()) line("");
      for (const std::string_view each : lines_of(shown)) line(indent + std::string(each));
    }
    line("");
  }
  void write(const FormulaBlock& block) {
    paragraph(block.text, "    ");
    line("");
  }
  void write(const Aside& block) {
    line("| " + block.kind);
    for (const Spans& spans : block.paragraphs) {
      for (const std::string& each : wrap(written(spans), width_ - 2)) line("| " + each);
    }
    line("");
  }
  void write(const StepDirective& block) {
    line("[ " + strings_("document.step." + block.name) + " ]");
    line("");
  }
  void write(const PredictDirective& block) {
    paragraph(written(block.question), "? ");
    if (const device::Properties* gpu = report_ ? gpu_to_name(block, report_->inputs) : nullptr)
      paragraph(strings_("document.question-gpu", {{"gpu", gpu->name}}), "  ");
    const auto answered = given_.find(block.id);
    const Report* said_of = run_of(block);
    const auto computed = answered == given_.end() || !said_of
                              ? std::nullopt
                              : computed_answer(block, lesson_, *said_of);
    for (std::size_t i = 0; i < block.choices.size(); ++i) {
      const auto& choice = block.choices[i];
      const bool chosen =
          answered != given_.end() && !answered->second.empty() && answered->second == choice.value;
      const std::string lead = computed == choice.value ? "  ✓ " : chosen ? "  > " : "    ";
      paragraph(written(choice.text), lead + static_cast<char>('A' + i % 26) + ". ");
    }
    if (answered == given_.end()) {
      paragraph(strings_("document.open-question"), "  ");
    } else {
      write_outcome(block, answered->second, computed, said_of);
    }
    line("");
  }
  /// The run that the question asks about, or else the one that is shown; null where there is neither.
  [[nodiscard]] const Report* run_of(const PredictDirective& block) const {
    const auto found = deciding_.find(block.id);
    return found == deciding_.end() ? report_ : found->second.get();
  }
  // The verdict is the run's that decides; without one there is only what the author says to the choice and of the right one. Its
  // figures are those of `report`: another run's would make it false.
  void write_outcome(const PredictDirective& block, const std::string& value,
                     const std::optional<std::string>& computed, const Report* report) {
    if (computed) {
      const bool right = value == *computed;
      const char* key = value.empty() ? "document.shown"
                        : right       ? "document.right"
                                      : "document.wrong";
      paragraph(strings_(key, {{"answer", answer_of(block, *computed, report)}}), "  ");
    }
    const auto choice =
        std::find_if(block.choices.begin(), block.choices.end(),
                     [&](const auto& candidate) { return candidate.value == value; });
    const bool has_why = !value.empty() && choice != block.choices.end() && !choice->why.empty();
    if (has_why) paragraph(written(choice->why, report), "  ");
    paragraph(written(block.right, report), "  ");
  }
  /// "B: 296", as the choice is listed above: its value by itself may be a word of the chapter's file that no reader sees.
  [[nodiscard]] std::string answer_of(const PredictDirective& block, const std::string& computed,
                                      const Report* report) const {
    const auto choice =
        std::ranges::find(block.choices, computed, &PredictDirective::Choice::value);
    if (choice == block.choices.end()) return computed;
    const auto number = static_cast<std::size_t>(choice - block.choices.begin());
    return strings_("document.choice",
                    {{"letter", std::string(1, static_cast<char>('A' + number % 26))},
                     {"text", written(choice->text, report)}});
  }
  void write(const ExhibitDirective& block) {
    show_exhibit(block.id);
    if (!block.beside.empty()) show_exhibit(block.beside);
  }
  void write(const TryDirective& block) {
    paragraph(written(block.text), "> ");
    write_command(block.set, block.source);
    line("");
  }
  /// The command that makes the same run in a terminal.
  void write_command(const std::map<std::string, std::string>& set, const std::string& source) {
    if (set.empty() && source.empty()) return;
    line("  warpbook run " + lesson_.slug + flags(set) +
         (source.empty() ? "" : " --source " + source));
  }
  void write(const IndexDirective& block) {
    line("    " + block.formula);
    line("");
  }
  void write(const CompareDirective& block) {
    line(strings_("document.compare"));
    for (const auto& variant : block.variants) {
      paragraph(written(variant.label), "- ");
      write_command(variant.set, variant.source);
    }
    line("");
  }
  void write(const ExerciseDirective& block) {
    paragraph(strings_("document.exercise", {{"id", block.id}}), "> ");
    line("");
  }
  void write(const TermDirective& block) {
    std::string text = written(block.name) + ": " + written(block.meaning);
    if (!block.opencl.empty()) text += " " + strings_("document.opencl", {{"name", block.opencl}});
    paragraph(text, "* ");
    line("");
  }

  const Document& document_;
  const Lesson& lesson_;
  const Report* report_;
  const Strings& strings_;
  const AnswersGiven& given_;
  const DecidingRuns& deciding_;
  std::size_t width_;
  std::string text_;
};

}  // namespace

std::string to_text(const Document& document, const Lesson& lesson, const Report* report,
                    const Strings& strings, const AnswersGiven& given, const DecidingRuns& deciding,
                    int width) {
  return TextPage(document, lesson, report, strings, given, deciding, width).run();
}

}  // namespace warpbook::lab
