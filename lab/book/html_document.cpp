// A chapter as one HTML file.
#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "lab/book/chapter_page.hpp"
#include "lab/document/directive.hpp"
#include "lab/document/formula.hpp"
#include "lab/document/markdown.hpp"
#include "lab/document/program.hpp"
#include "lab/document/question_gpu.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/render/render.hpp"
#include "lab/report/compare.hpp"

namespace warpbook::lab {
namespace {

constexpr std::size_t kProgramColumns = 96;  // of the page at its full width
constexpr int kTopLevel = 2;  // of headings in a chapter's text: the page's own stand above them

std::string choice_letter(std::size_t choice) {
  return std::string(1, static_cast<char>('A' + choice % 26));
}

std::string details(const std::string& summary, const std::string& content) {
  return "<details class=\"wb-veil\">" + tagged("summary", "", escaped(summary)) + content +
         "</details>\n";
}

std::string anchored(std::string_view tag, std::string_view css_class, const std::string& id,
                     const std::string& content) {
  return fmt::format("<{0} class=\"{1}\" id=\"{2}\">{3}</{0}>\n", tag, css_class, escaped(id),
                     content);
}

std::string link(const std::string& target, const std::string& content) {
  return "<a href=\"" + escaped(target) + "\">" + content + "</a>";
}

std::string mathml(const std::string& latex, bool displayed) {
  const auto formula = parse_formula(latex, {});
  return formula ? formula_mathml(*formula, displayed) : tagged("code", "", escaped(latex));
}

class HtmlPage {
 public:
  HtmlPage(const Document& document, const Lesson& lesson, const ChapterRuns& runs,
           const Strings& strings, const Glossary& glossary)
      : document_(document), lesson_(lesson), runs_(runs), strings_(strings), glossary_(glossary) {
    for (const DocumentNode& block : document.nodes) {
      if (const auto* term = std::get_if<TermDirective>(&block)) explained_.insert(term->id);
    }
  }

  std::string body() {
    html_ = runs_.shown->device.empty() ? "" : about() + contents();
    for (at_ = 0; at_ < document_.nodes.size(); ++at_)
      std::visit([&](const auto& block) { html_ += html(block); }, document_.nodes[at_]);
    html_ += end_step() + results();
    return html_ + terms_of_other_chapters();
  }

 private:
  // What stands round the text.

  [[nodiscard]] std::string about() const {
    const Report& report = *runs_.shown;
    std::string values;
    for (const Parameter& parameter : lesson_.parameters) {
      const Value* value = report.inputs.values.find(parameter.name);
      if (!value) continue;
      values += (values.empty() ? "" : " ") +
                tagged("code", "", escaped(parameter.name + "=" + to_text(*value)));
    }
    std::string text = escaped(strings_(
        "page.about", {{"device", report.device},
                       {"when", report.when.substr(0, std::string("2026-01-31").size())}}));
    return tagged("p", "wb-quiet", text + " " + values) + "\n";
  }
  [[nodiscard]] std::string contents() const {
    std::string items;
    for (const DocumentNode& block : document_.nodes) {
      if (const auto* step = std::get_if<StepDirective>(&block)) {
        items +=
            tagged("li", "",
                   link("#step-" + step->name, escaped(strings_("document.step." + step->name))));
      }
    }
    if (!runs_.shown->exhibits.empty())
      items += tagged("li", "", link("#results", escaped(strings_("page.results"))));
    return "<nav aria-label=\"" + escaped(strings_("page.contents")) + "\">" +
           tagged("ol", "wb-contents", items) + "</nav>\n";
  }
  /// What the run shows and the text did not: a page has no lab beside it.
  std::string results() {
    const Report& report = *runs_.shown;
    if (report.exhibits.empty() && report.errors.empty()) return "";
    std::string content = tagged("h2", "", escaped(strings_("page.results")));
    for (const Exhibit& exhibit : report.exhibits) {
      if (std::ranges::find(placed_, exhibit.id) == placed_.end())
        content += show(exhibit.id, report);
    }
    const std::string errors = errors_of(report);
    const PredictDirective* question = veil_of(std::string(kVeiledErrors), report);
    content +=
        question && !errors.empty() ? covered(*question, strings_("page.errors"), errors) : errors;
    return anchored("section", "wb-step", "results", content);
  }
  [[nodiscard]] std::string errors_of(const Report& report) const {
    std::string items;
    for (const device::Error& error : report.errors)
      items += tagged("li", "wb-bad", escaped(strings_(error)));
    return items.empty() ? "" : tagged("ul", "wb-errors", items);
  }

  /// Those that the page links to; what explains one may link to another.
  std::string terms_of_other_chapters() {
    std::string content;
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      const GlossaryEntry& entry = *wanted_[i];
      content += html(entry.term);
      for (const std::string& line : chapters_of(entry, strings_))
        content += tagged("p", "wb-quiet", escaped(line));
    }
    if (content.empty()) return "";
    return anchored("section", "wb-step", "terms",
                    tagged("h2", "", escaped(strings_("page.terms"))) + content);
  }

  // Inline text. Figures are those of `report`; in a question's own details none is covered.

  enum class Cover : std::uint8_t { keep, lift };

  [[nodiscard]] const PredictDirective* veil_of(const std::string& id, const Report& report) const {
    return veiled_by(document_, lesson_, report.inputs, {}, id);
  }
  [[nodiscard]] std::string value_of(const std::string& name, const Report& report) const {
    for (const LiveFigure& candidate : lesson_.figures) {
      if (candidate.name != name) continue;
      std::string value = candidate.value(report);
      if (!value.empty()) return typeset(std::move(value));
    }
    return strings_("document.figure-unknown");
  }
  [[nodiscard]] std::string figure(const std::string& name, const Report& report,
                                   Cover cover) const {
    const PredictDirective* question = cover == Cover::keep ? veil_of("=" + name, report) : nullptr;
    if (!question) {
      return fmt::format("<span class=\"wb-figure\" data-figure=\"{}\">{}</span>", escaped(name),
                         escaped(value_of(name, report)));
    }
    return fmt::format(
        "<a class=\"wb-figure\" data-figure=\"{}\" href=\"#q-{}\" title=\"{}\">{}</a>",
        escaped(name), escaped(question->id), escaped(strings_("page.covered")),
        escaped(strings_("document.figure-veiled")));
  }
  [[nodiscard]] static std::string parameter(const std::string& name, const Report& report) {
    const Value* value = report.inputs.values.find(name);
    // Of a path the last part alone; a picture that was not given has no value.
    const std::string last =
        value ? std::filesystem::path(to_text(*value)).filename().string() : std::string();
    return tagged("code", "", escaped(last.empty() ? name : name + " = " + last));
  }
  /// A link to a term that the page does not explain has it explained at its end.
  [[nodiscard]] std::string linked(const Span& span) {
    std::string text = escaped(span.text);
    if (span.target.starts_with("#")) {
      const std::string id = span.target.substr(1);
      if (!explained_.contains(id)) {
        const GlossaryEntry* entry = glossary_.find(id);
        if (!entry) return text;
        explained_.insert(id);
        wanted_.push_back(entry);
      }
      return link("#term-" + id, text);
    }
    // Another chapter is another file, which need not be here.
    return span.target.starts_with("https://") ? link(span.target, text) : text;
  }
  [[nodiscard]] std::string inline_html(const Spans& spans, const Report& report,
                                        Cover cover = Cover::keep) {
    std::string text;
    for (const Span& span : spans) {
      std::string one;
      switch (span.kind) {
        case Span::Kind::text: one = escaped(span.text); break;
        case Span::Kind::code: one = tagged("code", "", escaped(span.text)); break;
        case Span::Kind::parameter: one = parameter(span.text, report); break;
        case Span::Kind::figure: one = figure(span.text, report, cover); break;
        case Span::Kind::link: one = linked(span); break;
        case Span::Kind::formula: one = mathml(span.target, false); break;
      }
      if (span.emphasis) one = tagged("em", "", one);
      if (span.strong) one = tagged("strong", "", one);
      text += one;
    }
    return text;
  }
  [[nodiscard]] std::string prose(const Spans& spans) { return inline_html(spans, *runs_.shown); }

  // Exhibits.

  /// What would answer an open question, closed, with a link to it.
  [[nodiscard]] std::string covered(const PredictDirective& question, const std::string& title,
                                    const std::string& figure) const {
    return details(
        strings_("page.veiled", {{"exhibit", title}}),
        tagged("p", "wb-quiet", link("#q-" + question.id, escaped(strings_("page.question")))) +
            figure);
  }
  /// Exhibit `id` of a run, closed where it would answer an open question.
  /// `beside`: the run that the same exhibit is shown of at its side; null: none.
  [[nodiscard]] std::string show(const std::string& id, const Report& report,
                                 const Report* beside = nullptr) const {
    const Exhibit* exhibit = report.find(id);
    if (!exhibit)
      return tagged("p", "wb-quiet", escaped(strings_("document.no-run", {{"exhibit", id}})));
    // What is closed does not show through in the other's axes.
    const bool shares = beside && !veil_of(id, *beside);
    std::string figure = to_html(*exhibit, shares ? beside->find(id) : nullptr, strings_);
    const PredictDirective* question = veil_of(id, report);
    if (!question) return figure;
    const std::string title = strings_(exhibit->title);
    return covered(*question, title.empty() ? id : title, figure);
  }

  // Blocks.

  std::string end_step() { return std::exchange(in_step_, false) ? "</section>\n" : ""; }
  std::string html(const StepDirective& step) {
    const std::string end = end_step();
    in_step_ = true;
    return end + "<section class=\"wb-step\">\n" +
           anchored("h2", "wb-step-name", "step-" + step.name,
                    escaped(strings_("document.step." + step.name)));
  }
  std::string html(const Paragraph& block) { return tagged("p", "", prose(block.spans)) + "\n"; }
  std::string html(const Heading& block) {
    const int level = std::clamp(block.level - kTopLevel + 3, 3, 6);
    return tagged("h" + std::to_string(level), "", prose(block.spans)) + "\n";
  }
  std::string html(const ListBlock& block) {
    std::string items;
    for (const Spans& item : block.items) items += tagged("li", "", prose(item));
    return tagged(block.ordered ? "ol" : "ul", "", items) + "\n";
  }
  std::string html(const CodeBlock& block) const {
    if (!block.file.empty()) return program(block);
    return tagged("pre", "wb-output", tagged("code", "", escaped_lines(block.text))) + "\n";
  }
  /// A whole program, with the calls of the run that is shown beside its lines; they are covered where their list is.
  [[nodiscard]] std::string program(const CodeBlock& block) const {
    const Report* report = veil_of(block.exhibit, *runs_.shown) ? nullptr : runs_.shown.get();
    std::string lines;
    for (const SetProgramLine& line : set_program(block, report, strings_, kProgramColumns)) {
      lines += escaped(line.code);
      if (!line.call.empty()) lines += tagged("span", "wb-call", escaped(line.call));
      lines += "\n";
    }
    return tagged("pre", "wb-output wb-program", tagged("code", "", lines)) + "\n";
  }
  static std::string html(const FormulaBlock& block) {
    return tagged("div", "wb-display", mathml(block.latex, true)) + "\n";
  }
  std::string html(const Aside& block) {
    std::string content = tagged("p", "wb-title", escaped(block.kind));
    for (const Spans& spans : block.paragraphs) content += tagged("p", "", prose(spans));
    return tagged("aside", "wb-aside", content) + "\n";
  }
  std::string html(const ExhibitDirective& block) {
    placed_.push_back(block.id);
    if (block.beside.empty()) return show(block.id, *runs_.shown);
    placed_.push_back(block.beside);
    return tagged("div", "wb-beside",
                  show(block.id, *runs_.shown) + show(block.beside, *runs_.shown)) +
           "\n";
  }
  std::string html(const TryDirective& block) {
    return tagged("p", "wb-try", prose(block.text) + command(block.set, block.source)) + "\n";
  }
  static std::string html(const IndexDirective& block) {
    return tagged("p", "wb-formula", tagged("code", "", escaped(block.formula))) + "\n";
  }
  std::string html(const TermDirective& block) {
    std::string meaning = prose(block.meaning);
    if (!block.opencl.empty())
      meaning += " " + escaped(strings_("document.opencl", {{"name", block.opencl}}));
    return anchored("dl", "wb-term", "term-" + block.id,
                    tagged("dt", "", prose(block.name)) + tagged("dd", "", meaning));
  }
  std::string html(const CompareDirective& block) {
    const auto runs = runs_.variants.find(at_);
    const auto run_of = [&](std::size_t i) {
      return runs == runs_.variants.end() || i >= runs->second.size() ? nullptr
                                                                      : runs->second[i].get();
    };
    std::string columns;
    for (std::size_t i = 0; i < block.variants.size(); ++i) {
      const auto& variant = block.variants[i];
      std::string column = tagged("h3", "", prose(variant.label));
      const Report *report = run_of(i),
                   *other = block.variants.size() == 2 ? run_of(1 - i) : nullptr;
      for (const std::string& id : block.exhibits) {
        if (report) column += show(id, *report, other);
      }
      if (report) column += errors_of(*report);
      columns += tagged("div", "", column + tagged("p", "", command(variant.set, variant.source)));
    }
    return tagged("div", "wb-compare", columns) + "\n" + relation_of(block);
  }
  /// What both variants' runs have to do with each other; empty where they are not there.
  [[nodiscard]] std::string relation_of(const CompareDirective& block) const {
    const auto runs = runs_.variants.find(at_);
    if (runs == runs_.variants.end() || runs->second.size() != 2 || block.variants.size() != 2)
      return {};
    const auto name = [&](std::size_t i) {
      return Message::plain(plain_text(block.variants[i].label));
    };
    std::string figure =
        to_html(comparison_of(*runs->second[0], *runs->second[1], name(0), name(1), block.exhibits),
                strings_);
    for (const ChapterRuns::Run& run : runs->second) {
      if (const PredictDirective* question = open_question(*run))
        return covered(*question, strings_("comparison.title"), figure);
    }
    return figure;
  }
  /// One that covers anything of this run; null where there is none.
  [[nodiscard]] const PredictDirective* open_question(const Report& report) const {
    for (const DocumentNode& block : document_.nodes) {
      const auto* question = std::get_if<PredictDirective>(&block);
      if (!question) continue;
      for (const std::string& id : question->veils) {
        if (const PredictDirective* open = veil_of(id, report)) return open;
      }
    }
    return nullptr;
  }
  /// The same run in a terminal.
  [[nodiscard]] std::string command(const std::map<std::string, std::string>& set,
                                    const std::string& source) const {
    if (set.empty() && source.empty()) return "";
    std::string text = "warpbook run " + lesson_.slug;
    for (const auto& [name, value] : set) text += " --set " + name + "=" + value;
    if (!source.empty()) text += " --source " + source;
    return tagged("code", "wb-command", escaped(text));
  }

  std::string html(const PredictDirective& block) {
    std::string choices;
    for (const auto& choice : block.choices) choices += tagged("li", "", prose(choice.text));
    return anchored("section", "wb-predict", "q-" + block.id,
                    tagged("p", "wb-ask", prose(block.question)) + gpu_note(block) +
                        "<ol class=\"wb-choices\" type=\"A\">" + choices + "</ol>" +
                        details(strings_("page.reveal"), outcome(block)));
  }
  [[nodiscard]] std::string gpu_note(const PredictDirective& block) const {
    const device::Properties* gpu = gpu_to_name(block, runs_.shown->inputs);
    return gpu ? tagged("p", "wb-quiet",
                        escaped(strings_("document.question-gpu", {{"gpu", gpu->name}})))
               : std::string();
  }
  /// What the deciding run says: the right choice, why the others are not, and what the question covers.
  std::string outcome(const PredictDirective& block) {
    const auto found = runs_.deciding.find(block.id);
    if (found == runs_.deciding.end())
      return tagged("p", "", inline_html(block.right, *runs_.shown, Cover::lift));
    const Report& report = *found->second;
    const auto computed = computed_answer(block, lesson_, report);
    std::string html, others;
    for (std::size_t i = 0; i < block.choices.size(); ++i) {
      const auto& choice = block.choices[i];
      const std::string letter = tagged("strong", "", choice_letter(i) + ".") + " ";
      if (computed == choice.value) {
        html += tagged("p", "wb-good",
                       escaped(strings_("page.says")) + letter +
                           inline_html(choice.text, report, Cover::lift));
      } else if (!choice.why.empty()) {
        others += tagged("li", "", letter + inline_html(choice.why, report, Cover::lift));
      }
    }
    html += tagged("p", "", inline_html(block.right, report, Cover::lift));
    if (!others.empty()) html += tagged("ul", "wb-others", others);
    for (const std::string& veiled : block.veils) {
      if (const Exhibit* exhibit = report.find(veiled)) html += to_html(*exhibit, strings_);
    }
    return html + errors_of(report);
  }

  std::string html(const ExerciseDirective& block) {
    const auto found = runs_.exercises.find(block.id);
    if (found == runs_.exercises.end())
      return tagged("p", "wb-try", escaped(strings_("document.exercise", {{"id", block.id}})));
    const ExerciseText& exercise = found->second;
    std::string content =
        tagged("h3", "", escaped(strings_("page.exercise", {{"title", exercise.title}})));
    if (const auto task = parse_document(exercise.task, block.id, document_.language)) {
      for (const DocumentNode& part : task->nodes) {
        if (const auto* text = std::get_if<Paragraph>(&part)) content += html(*text);
        if (const auto* list = std::get_if<ListBlock>(&part)) content += html(*list);
        if (const auto* code = std::get_if<CodeBlock>(&part)) content += html(*code);
        if (const auto* formula = std::get_if<FormulaBlock>(&part)) content += html(*formula);
      }
    }
    content += html(CodeBlock{std::string(language_of(exercise.submission)), exercise.starter}) +
               tagged("p", "",
                      escaped(strings_("page.check")) +
                          tagged("code", "wb-command",
                                 escaped("warpbook check " + block.id + " " +
                                         submission_name(block.id, exercise.submission))));
    return anchored("section", "wb-exercise", "exercise-" + block.id, content);
  }

  const Document& document_;
  const Lesson& lesson_;
  const ChapterRuns& runs_;
  const Strings& strings_;
  const Glossary& glossary_;
  std::set<std::string> explained_;           // ids of terms that the page explains
  std::vector<const GlossaryEntry*> wanted_;  // those of other chapters among them
  std::string html_;
  std::size_t at_ = 0;  // of the block that is being written
  bool in_step_ = false;
  std::vector<std::string> placed_;  // exhibits that the text shows itself
};

}  // namespace

std::string to_html_page(const Document& document, const Lesson& lesson, const ChapterRuns& runs,
                         const Strings& strings, PageTheme theme, const Glossary& glossary) {
  return to_html_page(document.title, HtmlPage(document, lesson, runs, strings, glossary).body(),
                      strings, theme);
}

std::string to_html_page(const Glossary& glossary, const Strings& strings, PageTheme theme) {
  const auto said = [](std::string text) {
    return Paragraph{{{Span::Kind::text, std::move(text), "", false, false}}};
  };
  Document page;
  page.title = strings("page.glossary");
  page.nodes.emplace_back(said(strings("page.glossary-order")));
  for (const GlossaryEntry& entry : glossary.entries()) {
    page.nodes.emplace_back(entry.term);
    for (std::string& line : chapters_of(entry, strings))
      page.nodes.emplace_back(said(std::move(line)));
  }
  page.lines.assign(page.nodes.size(), 0);
  ChapterRuns none;
  none.shown = std::make_shared<const Report>();
  return to_html_page(page, Lesson{}, none, strings, theme, glossary);
}

}  // namespace warpbook::lab
