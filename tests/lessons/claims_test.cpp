// What the text says in numbers is what the pictures beside it show, at every preset and on other GPUs: a number that runs show
// only as the chapter opens, or only on the usual GPU, has to be a live figure, or its paragraph has to name the GPU. And of a
// question whose answer or explanations are others on another GPU its directive says so, and of no other one.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "device/device.hpp"
#include "lab/document/document.hpp"
#include "lab/render/render.hpp"
#include "lessons/catalogue.hpp"
#include "tests/lessons/chapter.hpp"

namespace warpbook::claims_test {
namespace {

// ---- Numbers ------------------------------------------------------------------------------------

struct Number {
  double value = 0;
  int decimals = 0;
  int digits = 0;
  std::string unit;  ///< empty: a bare number
  std::string text;
};

bool digit(char c) { return c >= '0' && c <= '9'; }
bool wordy(char c) {
  return digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

std::string unit_at(std::string_view rest) {
  static constexpr std::array kUnits{"TFLOP/s", "GFLOP/s", "TB/s", "GB/s", "MB/s", "KiB",
                                     "MiB",     "GiB",     "KB",   "MB",   "GB",   "GHz",
                                     "MHz",     "ns",      "µs",   "ms",   "s",    "%"};
  for (const std::string_view blank : {" ", "\u00a0", "\u202f", "\u2009"})
    if (rest.starts_with(blank)) {
      rest.remove_prefix(blank.size());
      break;
    }
  for (const std::string_view unit : kUnits) {
    if (!rest.starts_with(unit)) continue;
    if (rest.size() == unit.size() || !wordy(rest[unit.size()])) return std::string(unit);
  }
  return {};
}

std::vector<Number> numbers_in(std::string_view text) {
  std::vector<Number> numbers;
  for (std::size_t i = 0; i < text.size();) {
    if (!digit(text[i]) || (i > 0 && wordy(text[i - 1]))) {
      ++i;
      continue;
    }
    Number number;
    std::string digits;
    bool fraction = false;
    for (; i < text.size(); ++i) {
      const bool inside = i + 1 < text.size() && digit(text[i + 1]);
      if (text[i] == ',' && inside && !fraction) continue;
      if (text[i] == '.' && inside && !fraction) {
        fraction = true;
        digits += '.';
        continue;
      }
      if (!digit(text[i])) break;
      digits += text[i];
      ++number.digits;
      number.decimals += fraction ? 1 : 0;
    }
    if (i < text.size() && wordy(text[i])) {
      while (i < text.size() && wordy(text[i])) ++i;  // 2D, 0x7f
      continue;
    }
    number.value = std::stod(digits);
    number.unit = unit_at(text.substr(i));
    number.text = digits + (number.unit.empty() ? "" : " " + number.unit);
    numbers.push_back(std::move(number));
  }
  return numbers;
}

/// Too many digits to be equal by chance.
bool telling(const Number& number) { return !number.unit.empty() || number.digits >= 3; }

/// What runs show.
class Shown {
 public:
  void add(std::string_view text) {
    for (Number& number : numbers_in(text)) by_unit_[number.unit].push_back(std::move(number));
  }
  [[nodiscard]] bool has(const Number& said) const {
    const auto found = by_unit_.find(said.unit);
    if (found == by_unit_.end()) return false;
    return std::ranges::any_of(found->second, [&](const Number& shown) {
      if (said.unit.empty() && said.decimals == 0)
        return shown.decimals == 0 && shown.value == said.value;
      return shown.decimals >= said.decimals &&
             std::abs(shown.value - said.value) <= 0.5 * std::pow(10, -said.decimals) * 1.0001;
    });
  }

 private:
  std::map<std::string, std::vector<Number>> by_unit_;
};

// ---- Runs ---------------------------------------------------------------------------------------

constexpr std::array kOtherGpus{"T4", "A100", "H100"};

/// Without what the clock of this machine measured: it would equal a number of the text by chance.
lab::Report without_measured(lab::Report report) {
  report.compile_seconds = report.run_seconds = 0;
  for (lab::Exhibit& exhibit : report.exhibits)
    if (auto* times = std::get_if<lab::TimingsExhibit>(&exhibit.value))
      std::erase_if(times->rows, [](const lab::TimingsExhibit::Row& row) {
        return row.evidence.kind == device::EvidenceKind::measured;
      });
  return report;
}

class Runs {
 public:
  explicit Runs(const lab::Lesson& lesson)
      : lesson_(lesson), strings_(*lab::Strings::load("en", WARPBOOK_SOURCE_DIR)) {}

  std::shared_ptr<const lab::Report> run(const lab::Inputs& inputs) {
    const auto whole = lab::completed(lesson_, inputs, WARPBOOK_SOURCE_DIR);
    REQUIRE(whole);
    for (const auto& [known, report] : done_)
      if (known == *whole) return report;
    auto report = std::make_shared<const lab::Report>(without_measured(
        lab::run(lesson_, *whole, tests::chapter::compiler(), WARPBOOK_SOURCE_DIR)));
    done_.emplace_back(*whole, report);
    return report;
  }
  /// Adds what the run shows, as text and as live figures.
  std::shared_ptr<const lab::Report> add(Shown& shown, const lab::Inputs& inputs) {
    auto report = run(inputs);
    const std::string text = lab::to_text(*report, *strings_);
    CHECK_FALSE(has_key(text));
    shown.add(text);
    for (const lab::LiveFigure& figure : lesson_.figures) shown.add(figure.value(*report));
    return report;
  }

 private:
  /// A sentence's key in the place of the sentence: "profiling.version.kept".
  [[nodiscard]] bool has_key(const std::string& text) const {
    const std::string chapter = lesson_.slug + ".";
    for (std::size_t at = 0; (at = text.find(chapter, at)) != text.npos; ++at) {
      const std::size_t rest = at + chapter.size();
      const bool begins = at == 0 || !wordy(text[at - 1]),
                 goes_on = rest < text.size() && wordy(text[rest]);
      if (begins && goes_on && !text.substr(rest).starts_with("cu")) return true;
    }
    return false;
  }

  const lab::Lesson& lesson_;
  std::shared_ptr<const lab::Strings> strings_;
  std::vector<std::pair<lab::Inputs, std::shared_ptr<const lab::Report>>> done_;
};

lab::Inputs defaults(const lab::Lesson& lesson, const std::string& gpu) {
  lab::Inputs inputs;
  inputs.gpu = gpu;
  inputs.values = lab::defaults(lesson.parameters);
  return inputs;
}

/// The runs that the text itself names: of questions, of things to try, of comparisons.
std::vector<lab::Inputs> cases(const lab::Lesson& lesson, const lab::Document& document,
                               const std::string& gpu) {
  const lab::Inputs current = defaults(lesson, gpu);
  std::vector<lab::Inputs> all;
  const auto add = [&](const std::map<std::string, std::string>& set, const std::string& source) {
    all.push_back(lab::case_inputs(set, source, lesson, current));
  };
  for (const lab::DocumentNode& node : document.nodes) {
    if (const auto* predict = std::get_if<lab::PredictDirective>(&node)) {
      add(predict->set, predict->source_text);
      for (const auto& choice : predict->choices)
        if (!choice.set.empty()) add(choice.set, predict->source_text);
    }
    if (const auto* attempt = std::get_if<lab::TryDirective>(&node))
      add(attempt->set, attempt->source_text);
    if (const auto* compare = std::get_if<lab::CompareDirective>(&node))
      for (const auto& variant : compare->variants) add(variant.set, variant.source_text);
  }
  return all;
}

// ---- Claims -------------------------------------------------------------------------------------

std::string plain(const lab::Spans& spans) {
  std::string text;
  for (const lab::Span& span : spans) {
    const bool said = span.kind == lab::Span::Kind::text || span.kind == lab::Span::Kind::formula ||
                      span.kind == lab::Span::Kind::link;
    text += said ? span.text : " ` ";
  }
  return text;
}

/// A paragraph, or an item of a list.
struct Passage {
  std::uint32_t line = 0;
  std::string text;
};

/// Those outside of questions: a question is about one run on one GPU, which it has for itself.
std::vector<Passage> passages(const lab::Document& document) {
  std::vector<Passage> all;
  for (std::size_t i = 0; i < document.nodes.size(); ++i) {
    const auto add = [&](const lab::Spans& spans) {
      all.push_back({document.lines[i], plain(spans)});
    };
    const lab::DocumentNode& node = document.nodes[i];
    if (const auto* block = std::get_if<lab::Paragraph>(&node)) add(block->spans);
    if (const auto* list = std::get_if<lab::ListBlock>(&node))
      std::ranges::for_each(list->items, add);
    if (const auto* aside = std::get_if<lab::Aside>(&node))
      std::ranges::for_each(aside->paragraphs, add);
  }
  return all;
}

bool names_a_gpu(const std::string& text) {
  static constexpr std::array kNames{"H200", "H100",  "A100", "T4",     "L4",
                                     "RTX",  "GH200", "B200", "Hopper", "Blackwell"};
  return std::ranges::any_of(kNames,
                             [&](const char* name) { return text.find(name) != text.npos; });
}

/// A number of a passage that these runs show, and those that do not show it.
struct Claim {
  std::string number, not_in;
};
std::vector<Claim> claims(const Passage& passage, const Shown& here,
                          const std::map<std::string, Shown>& elsewhere) {
  std::vector<Claim> found;
  for (const Number& number : numbers_in(passage.text)) {
    if (!telling(number) || !here.has(number)) continue;
    std::string not_in;
    for (const auto& [name, shown] : elsewhere)
      if (!shown.has(number)) not_in += (not_in.empty() ? "" : ", ") + name;
    if (!not_in.empty()) found.push_back({number.text, not_in});
  }
  return found;
}

/// Numbers that are no figures of a run, though one happens to show the same.
struct Chance {
  std::string_view chapter, number, what;
};
constexpr std::array<Chance, 0> kByChance{};

void check(const lab::Document& document, const lab::Lesson& lesson, const Passage& passage,
           const std::vector<Claim>& found) {
  for (const Claim& claim : found) {
    CAPTURE(document.file, passage.line, claim.number, claim.not_in, passage.text);
    CHECK(std::ranges::any_of(kByChance, [&](const Chance& chance) {
      return chance.chapter == lesson.slug && chance.number == claim.number;
    }));
  }
}

/// All chapters, or the one that $WARPBOOK_CLAIMS names by its slug.
std::vector<lab::Lesson> asked() {
  const char* slug = std::getenv("WARPBOOK_CLAIMS");
  std::vector<lab::Lesson> all;
  for (const lab::Lesson& lesson : lessons::catalogue())
    if (!slug || lesson.slug == slug) all.push_back(lesson);
  return all;
}

void check(const lab::Lesson& lesson) {
  const auto document = lab::load_document(WARPBOOK_SOURCE_DIR, lesson.slug, "en");
  REQUIRE(document);
  Runs runs(lesson);
  // As the chapter opens, and the runs that its text names: they stay what they are at every preset.
  Shown opened, usual;
  std::map<std::string, Shown> presets, others;
  const auto add_all = [&](Shown& shown, const std::string& gpu) {
    runs.add(shown, defaults(lesson, gpu));
    for (const lab::Inputs& inputs : cases(lesson, *document, gpu)) runs.add(shown, inputs);
  };
  const std::string gpu(device::kDefaultGpu);
  runs.add(opened, defaults(lesson, gpu));
  add_all(usual, gpu);
  for (const char* other : kOtherGpus) add_all(others[other], other);
  for (const lab::Preset& preset : lesson.presets) {
    lab::Inputs inputs = defaults(lesson, gpu);
    for (const auto& [name, value] : preset.values.all()) inputs.values.set(name, value);
    Shown& shown = presets[preset.name];
    runs.add(shown, inputs);
    for (const lab::Inputs& one : cases(lesson, *document, gpu)) runs.add(shown, one);
  }
  for (const Passage& passage : passages(*document)) {
    check(*document, lesson, passage, claims(passage, opened, presets));
    if (!names_a_gpu(passage.text))
      check(*document, lesson, passage, claims(passage, usual, others));
  }
}

// ---- Questions ----------------------------------------------------------------------------------

constexpr std::array kGpusOfQuestions{"T4", "A100"};

std::vector<lab::Spans> texts_of(const lab::PredictDirective& question) {
  std::vector<lab::Spans> texts{question.question, question.right};
  for (const auto& choice : question.choices) {
    texts.push_back(choice.text);
    texts.push_back(choice.why);
  }
  return texts;
}

/// What the question shows of a run: its answer and the live figures in its texts.
std::string shown_by(const lab::PredictDirective& question, const lab::Lesson& lesson,
                     const lab::Report& report) {
  std::string shown = lab::computed_answer(question, lesson, report).value_or("no answer");
  for (const lab::Spans& spans : texts_of(question))
    for (const lab::Span& span : spans)
      for (const lab::LiveFigure& figure : lesson.figures)
        if (span.kind == lab::Span::Kind::figure && span.text == figure.name)
          shown += ", " + figure.name + ": " + figure.value(report);
  return shown;
}

/// What of a question is another on other GPUs, in words; empty where all of it holds there.
std::string differs_by_gpu(const lab::PredictDirective& question, const lab::Lesson& lesson,
                           Runs& runs) {
  Shown usual;
  std::map<std::string, Shown> others;
  const auto shown_on = [&](Shown& shown, const std::string& gpu) {
    const auto report = runs.add(
        shown, lab::case_inputs(question.set, question.source_text, lesson, defaults(lesson, gpu)));
    return shown_by(question, lesson, *report);
  };
  std::string differs;
  const std::string here = shown_on(usual, std::string(device::kDefaultGpu));
  for (const char* gpu : kGpusOfQuestions) {
    const std::string there = shown_on(others[gpu], gpu);
    if (there != here) differs += "(" + here + ") is on " + gpu + " (" + there + "); ";
  }
  for (const lab::Spans& spans : texts_of(question))
    for (const Claim& claim : claims({0, plain(spans)}, usual, others))
      differs += claim.number + " is not shown by " + claim.not_in + "; ";
  return differs;
}

/// Whether a question names its GPU to readers who simulate another one is as its runs on three GPUs have it.
void check_questions(const lab::Lesson& lesson) {
  const auto document = lab::load_document(WARPBOOK_SOURCE_DIR, lesson.slug, "en");
  REQUIRE(document);
  Runs runs(lesson);
  for (const lab::DocumentNode& node : document->nodes) {
    const auto* question = std::get_if<lab::PredictDirective>(&node);
    if (!question) continue;
    const std::string differs = differs_by_gpu(*question, lesson, runs);
    CAPTURE(document->file, question->id, differs);
    CHECK(question->rests_on_gpu == !differs.empty());
  }
}

}  // namespace

TEST_CASE("a number is a claim about a run that shows it, in its unit and as it is rounded") {
  Shown here;
  std::map<std::string, Shown> elsewhere;
  here.add("moves 1,234 bytes in 5.56 µs at 4.92 TB/s, 132 multiprocessors, 2 blocks");
  elsewhere["other"].add("moves 1,234 bytes in 7.1 µs at 320 GB/s, 40 multiprocessors, 3 blocks");
  const auto found = [&](const std::string& text) {
    std::string all;
    for (const Claim& claim : claims({1, text}, here, elsewhere)) all += claim.number + "; ";
    return all;
  };
  CHECK(found("It takes 5.56 µs.") == "5.56 µs; ");
  CHECK(found("It takes 5.6 µs on 132 of them.") == "5.6 µs; 132; ");
  CHECK(found("1,234 bytes move.").empty());                // wherever it runs
  CHECK(found("Each of 2 blocks takes 5.56 ms.").empty());  // too short, and another unit
  CHECK(found("compute_132 and 132D are no numbers").empty());
  CHECK(names_a_gpu("An H200 takes 5.56 µs."));
}

TEST_CASE("a figure that this machine measured is no figure of the run") {
  lab::Report report;
  report.compile_seconds = 0.061;
  report.run_seconds = 0.03;
  lab::TimingsExhibit times;
  times.rows.resize(2);
  times.rows[0].evidence.kind = device::EvidenceKind::measured;
  times.rows[1].evidence.kind = device::EvidenceKind::estimated;
  report.exhibits.push_back({"times", {}, {}, times});
  const lab::Report kept = without_measured(report);
  CHECK(kept.compile_seconds == 0);
  CHECK(kept.run_seconds == 0);
  const auto& rows = std::get<lab::TimingsExhibit>(kept.exhibits.at(0).value).rows;
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].evidence.kind == device::EvidenceKind::estimated);
}

TEST_CASE(
    "what the first chapters say in numbers holds at every preset and on other GPUs, or says of "
    "which",
    "[ci]") {
  for (const char* slug : {"first-kernel", "two-memories"}) check(*lessons::find(slug));
}

TEST_CASE(
    "a question of the first chapters says whether it rests on the GPU, as its runs on three GPUs "
    "have it",
    "[ci]") {
  for (const char* slug : {"first-kernel", "two-memories"}) check_questions(*lessons::find(slug));
}

TEST_CASE("any question says whether it rests on the GPU, as its runs on three GPUs have it",
          "[long]") {
  for (const lab::Lesson& lesson : asked()) check_questions(lesson);
}

TEST_CASE(
    "what any chapter says in numbers holds at every preset and on other GPUs, or says of which",
    "[long]") {
  for (const lab::Lesson& lesson : asked()) check(lesson);
}

}  // namespace warpbook::claims_test
