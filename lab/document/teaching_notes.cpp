#include "lab/document/teaching_notes.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "device/characters.hpp"
#include "device/platform.hpp"
#include "lab/document/markdown.hpp"
#include "lab/document/text_error.hpp"
#include "lab/text/toml_value.hpp"

namespace warpbook::lab {
namespace {

using device::Error;
using device::ErrorCode;

constexpr std::uint64_t kLargestText = 1u << 20;
constexpr std::string_view kExpected = "What to expect";
constexpr std::array<std::pair<std::string_view, int>, 2> kPlans{
    {{"Ten minutes", 10}, {"Forty minutes", 40}}};
/// Numbers up to here count students, minutes and boards as well; what they count in a chapter, its words say.
constexpr double kSmall = 10;

// ---- Reading ------------------------------------------------------------------------------------

/// The question that an item of "What to expect" is about, which is taken off it; empty where it does not begin with one.
std::string take_question(Spans& item) {
  std::string question;
  const auto words = std::ranges::find_if(item, [&](const Span& span) {
    if (span.kind != Span::Kind::link || !span.target.starts_with('#')) return true;
    question = span.target.substr(1);
    return false;
  });
  item.erase(item.begin(), words);
  if (!item.empty() && item.front().kind == Span::Kind::text) {
    std::string& text = item.front().text;
    text.erase(0, std::min(text.find_first_not_of(": "), text.size()));
  }
  return question;
}

/// The number of minutes that "(3)" or "(3 in all)" at the start of `text` says, and its length; nothing where it says none.
std::optional<std::pair<int, std::size_t>> minutes_in(std::string_view text) {
  int minutes = 0;
  const auto end = std::from_chars(text.data() + 1, text.data() + text.size(), minutes);
  if (end.ec != std::errc() || minutes <= 0) return std::nullopt;
  const auto after = static_cast<std::size_t>(end.ptr - text.data());
  for (const std::string_view close : {")", " in all)"}) {
    if (text.substr(after).starts_with(close)) return std::pair(minutes, after + close.size());
  }
  return std::nullopt;
}

/// `text` without the minutes of a plan, which are no figures.
std::string without_minutes(std::string_view text) {
  std::string rest;
  std::size_t begun = 0;
  for (std::size_t at = text.find('('); at != text.npos; at = text.find('(', at + 1)) {
    const auto found = minutes_in(text.substr(at));
    if (!found) continue;
    rest += text.substr(begun, at - begun);
    begun = at + found->second;
  }
  return rest += text.substr(begun);
}

/// Without the commas, full stops and "and" between one thing to do and the next.
std::string_view trimmed(std::string_view text) {
  const auto at_begin = [&](std::string_view lead) {
    if (!text.starts_with(lead)) return false;
    text.remove_prefix(lead.size());
    return true;
  };
  while (at_begin(",") || at_begin(".") || at_begin(";") || at_begin(" ") || at_begin("\n") ||
         at_begin("and ") || at_begin("then ") || at_begin("Then ")) {
  }
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n')) text.remove_suffix(1);
  return text;
}

TeachingPlan plan_of(std::string_view text, int minutes, std::uint32_t line) {
  TeachingPlan plan{minutes, {}, {}, line};
  std::size_t begun = 0;
  for (std::size_t at = text.find('('); at != text.npos; at = text.find('(', at + 1)) {
    const auto found = minutes_in(text.substr(at));
    if (!found) continue;
    plan.items.push_back({std::string(trimmed(text.substr(begun, at - begun))), found->first});
    begun = at + found->second;
  }
  plan.closing = trimmed(text.substr(begun));
  return plan;
}

/// Sorts the blocks of a text into what the notes are made of.
class NotesReader {
 public:
  explicit NotesReader(TeachingNotes& notes) : notes_(notes) {}

  std::optional<Error> read() {
    Document& document = notes_.document;
    for (std::size_t i = 0; i < document.nodes.size(); ++i) {
      line_ = document.lines[i];
      if (const auto* heading = std::get_if<Heading>(&document.nodes[i]))
        section_ = plain_text(heading->spans);
      else if (const auto* list = std::get_if<ListBlock>(&document.nodes[i]))
        take_list(*list);
      else if (const auto* paragraph = std::get_if<Paragraph>(&document.nodes[i]))
        take_paragraph(*paragraph);
    }
    return std::move(error_);
  }

 private:
  void take_list(const ListBlock& list) {
    if (section_ != kExpected) return;
    for (const Spans& item : list.items) {
      Spans words = item;
      const std::string question = take_question(words);
      if (question.empty() && !error_)
        error_ = text_error("expected", {{"text", plain_text(item).substr(0, 40)}},
                            {notes_.document.file, line_, 0});
      notes_.expected[question] = std::move(words);
    }
  }
  void take_paragraph(const Paragraph& paragraph) {
    for (const auto& [heading, minutes] : kPlans) {
      if (section_ == heading)
        notes_.plans.push_back(plan_of(plain_text(paragraph.spans), minutes, line_));
    }
  }

  TeachingNotes& notes_;
  std::string section_;
  std::uint32_t line_ = 0;
  std::optional<Error> error_;
};

// ---- Holding against the chapter ----------------------------------------------------------------

/// The numbers of a text, as they compare: without signs and the commas of thousands.
std::vector<std::string> numbers_in(std::string_view text) {
  std::vector<std::string> numbers;
  for (std::size_t i = 0; i < text.size();) {
    const bool of_name =
        i > 0 && (device::is_letter(text[i - 1]) || text[i - 1] == '_' || text[i - 1] == '.');
    if (!device::is_digit(text[i]) || of_name) {
      // A digit behind a letter belongs to a name: all its digits do.
      const bool skips = device::is_digit(text[i]);
      do ++i;
      while (skips && i < text.size() && device::is_digit(text[i]));
      continue;
    }
    std::string number;
    for (; i < text.size(); ++i) {
      const bool inside = i + 1 < text.size() && device::is_digit(text[i + 1]);
      if (device::is_digit(text[i]) || (text[i] == '.' && inside))
        number += text[i];
      else if (text[i] != ',' || !inside)
        break;
    }
    numbers.push_back(std::move(number));
  }
  return numbers;
}

bool is_small(const std::string& number) {
  double value = 0;
  const auto read = std::from_chars(number.data(), number.data() + number.size(), value);
  return read.ec == std::errc() && number.find('.') == number.npos && value <= kSmall;
}

/// All that a chapter says, as one text.
class ChapterText {
 public:
  explicit ChapterText(const Document& document) {
    for (const DocumentNode& node : document.nodes)
      std::visit([this](const auto& block) { add(block); }, node);
  }
  [[nodiscard]] std::set<std::string> numbers() const {
    const auto all = numbers_in(text_);
    return {all.begin(), all.end()};
  }

 private:
  void say(std::string_view text) { (text_ += text) += '\n'; }
  void add(const Spans& spans) { say(plain_text(spans)); }
  void add(const std::map<std::string, std::string>& set) {
    for (const auto& [name, value] : set) say(value);
  }
  void add(const Paragraph& block) { add(block.spans); }
  void add(const Heading& block) { add(block.spans); }
  void add(const ListBlock& block) {
    for (const Spans& item : block.items) add(item);
  }
  void add(const CodeBlock& block) { say(block.text); }
  void add(const FormulaBlock& block) { say(block.text); }
  void add(const Aside& block) {
    for (const Spans& paragraph : block.paragraphs) add(paragraph);
  }
  void add(const PredictDirective& block) {
    add(block.question);
    add(block.right);
    add(block.set);
    for (const auto& choice : block.choices) {
      add(choice.text);
      add(choice.why);
      say(choice.value);
      add(choice.set);
    }
  }
  void add(const TryDirective& block) {
    add(block.text);
    add(block.set);
  }
  void add(const IndexDirective& block) { say(block.formula); }
  void add(const CompareDirective& block) {
    for (const auto& variant : block.variants) {
      add(variant.label);
      add(variant.set);
    }
  }
  void add(const TermDirective& block) { add(block.meaning); }
  void add(const StepDirective&) {}
  void add(const ExhibitDirective&) {}
  void add(const ExerciseDirective&) {}

  std::string text_;
};

class NotesValidation {
 public:
  NotesValidation(const TeachingNotes& notes, const Document& chapter, const Lesson& lesson)
      : notes_(notes), lesson_(lesson), numbers_(ChapterText(chapter).numbers()) {
    for (const DocumentNode& node : chapter.nodes) {
      if (const auto* question = std::get_if<PredictDirective>(&node))
        questions_.push_back(question->id);
      if (const auto* step = std::get_if<StepDirective>(&node)) places_.insert(step->name);
      if (const auto* exhibit = std::get_if<ExhibitDirective>(&node))
        places_.insert({exhibit->id, exhibit->beside});
      if (const auto* exercise = std::get_if<ExerciseDirective>(&node))
        places_.insert(exercise->id);
    }
    places_.insert(questions_.begin(), questions_.end());
  }

  std::vector<Error> run() {
    const Document& document = notes_.document;
    for (std::size_t i = 0; i < document.nodes.size(); ++i) {
      line_ = document.lines[i];
      if (const auto* paragraph = std::get_if<Paragraph>(&document.nodes[i]))
        check(paragraph->spans);
      if (const auto* list = std::get_if<ListBlock>(&document.nodes[i])) {
        for (const Spans& item : list->items) check(item);
      }
    }
    check_questions();
    for (const TeachingPlan& plan : notes_.plans) check(plan);
    return std::move(errors_);
  }

 private:
  void refuse(std::string_view what, device::MessageArguments arguments) {
    errors_.push_back(text_error(what, std::move(arguments), {notes_.document.file, line_, 0}));
  }
  void want(bool known, const char* kind, const std::string& name, Message there_are) {
    if (known) return;
    errors_.push_back({ErrorCode::unknown_name,
                       {{"kind", Message{std::string("phrase.kind.") + kind, {}, {}}},
                        {"name", name},
                        {"known", std::move(there_are)}},
                       {notes_.document.file, line_, 0}});
  }

  void check(const Spans& spans) {
    for (const Span& span : spans) {
      switch (span.kind) {
        case Span::Kind::figure: check_figure(span.text); break;
        case Span::Kind::code: check_code(span.text); break;
        case Span::Kind::link: check_link(span); break;
        default: check_numbers(span.text);
      }
    }
  }
  void check_figure(const std::string& name) {
    std::vector<std::string> known;
    for (const LiveFigure& figure : lesson_.figures) known.push_back(figure.name);
    want(std::ranges::find(known, name) != known.end(), "figure", name, listed(known));
  }
  void check_link(const Span& span) {
    check_numbers(span.text);
    if (!span.target.starts_with('#')) return;
    const std::string place = span.target.substr(1);
    want(places_.contains(place), "question", place, listed({places_.begin(), places_.end()}));
  }
  void check_code(std::string_view code) {
    while (!code.empty()) {
      const std::string_view word = code.substr(0, code.find(' '));
      check_word(word);
      code.remove_prefix(std::min(code.size(), word.size() + 1));
    }
  }
  /// A setting of a parameter names a value that it takes; other code names numbers as prose does.
  void check_word(std::string_view word) {
    const std::size_t equals = word.find('=');
    const auto parameter =
        std::ranges::find(lesson_.parameters, word.substr(0, equals), &Parameter::name);
    if (equals == word.npos || parameter == lesson_.parameters.end()) {
      check_numbers(word);
      return;
    }
    if (auto value = parse(*parameter, word.substr(equals + 1)); !value) {
      Error error = value.error();
      error.place = {notes_.document.file, line_, 0};
      errors_.push_back(std::move(error));
    }
  }
  void check_numbers(std::string_view text) {
    for (const std::string& number : numbers_in(without_minutes(text))) {
      if (!is_small(number) && !numbers_.contains(number))
        refuse("unnamed-number", {{"number", number}});
    }
  }
  void check_questions() {
    line_ = 1;
    for (const std::string& id : questions_) {
      if (!notes_.expected.contains(id)) refuse("unexpected", {{"question", id}});
    }
  }
  void check(const TeachingPlan& plan) {
    line_ = plan.line;
    const int sum = std::accumulate(
        plan.items.begin(), plan.items.end(), 0,
        [](int before, const TeachingPlan::Item& item) { return before + item.minutes; });
    if (sum != plan.minutes)
      refuse("plan", {{"sum", std::to_string(sum)}, {"minutes", std::to_string(plan.minutes)}});
  }

  const TeachingNotes& notes_;
  const Lesson& lesson_;
  std::set<std::string> numbers_, places_;
  std::vector<std::string> questions_;
  std::uint32_t line_ = 0;
  std::vector<Error> errors_;
};

}  // namespace

device::Expected<TeachingNotes> parse_teaching_notes(std::string_view markdown,
                                                     const std::string& file) {
  auto document = parse_document(markdown, file, kEnglish);
  if (!document) return tl::unexpected(document.error());
  TeachingNotes notes;
  notes.document = std::move(*document);
  if (auto error = NotesReader(notes).read()) return tl::unexpected(std::move(*error));
  return notes;
}

device::Expected<TeachingNotes> load_teaching_notes(const std::string& root,
                                                    const std::string& slug) {
  const std::string file = "lessons/" + slug + "/teach.md";
  const auto text = device::read_file(std::filesystem::path(root) / file, kLargestText);
  if (!text) return tl::unexpected(text.error());
  return parse_teaching_notes(*text, file);
}

std::vector<Error> validate(const TeachingNotes& notes, const Document& chapter,
                            const Lesson& lesson) {
  return NotesValidation(notes, chapter, lesson).run();
}

std::size_t item_at(const TeachingPlan& plan, double minute) {
  int end = 0;
  for (std::size_t i = 0; i < plan.items.size(); ++i) {
    end += plan.items[i].minutes;
    if (minute < end) return i;
  }
  return plan.items.empty() ? 0 : plan.items.size() - 1;
}

}  // namespace warpbook::lab
