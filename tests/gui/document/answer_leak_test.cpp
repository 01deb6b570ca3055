// No open question is answered by what the window shows beside it. A number leaks if it follows the answer: wherever another
// run of the question has another answer, the page shows that one instead. Numbers that merely happen to be equal do not.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "lessons/catalogue.hpp"
#include "tests/gui/made_up.hpp"
#include "tests/gui/stage.hpp"

namespace warpbook::gui::answer_leak_test {
namespace {
using Counts = std::map<std::string, int>;
using Cases = std::vector<std::map<std::string, std::string>>;

bool digit(char c) { return c >= '0' && c <= '9'; }

/// The numbers of a text, without the commas that group their digits.
std::vector<std::string> numbers_in(std::string_view text) {
  std::vector<std::string> numbers;
  for (std::size_t i = 0; i < text.size();) {
    if (!digit(text[i])) {
      ++i;
      continue;
    }
    std::string number;
    for (; i < text.size(); ++i) {
      const bool inside = i + 1 < text.size() && digit(text[i + 1]);
      if (text[i] == ',' && inside) continue;
      if (!digit(text[i]) && !(text[i] == '.' && inside)) break;
      number += text[i];
    }
    numbers.push_back(std::move(number));
  }
  return numbers;
}

/// What the window shows of a run, and the answer that this run gives.
struct Shown {
  std::vector<std::string> answer;
  std::set<std::string> named;  ///< values that the question itself sets, which are no secret
  Counts numbers;
};

/// So high that a whole chapter, its text and its lab, is in view at once.
constexpr float kHigh = 60000;

Shown draw(Stage& stage, const lab::PredictDirective& question) {
  Shown shown;
  stage.book().settle();
  for (int i = 0; i < 6; ++i) stage.frame();  // until its heights are known and nothing fades
  const auto report = stage.book().report();
  if (const auto answer = lab::computed_answer(question, *stage.book().lesson(), *report))
    shown.answer = numbers_in(*answer);
  for (const auto& [name, value] : question.set) shown.named.insert(value);
  std::erase_if(shown.answer, [&](const auto& number) { return shown.named.contains(number); });
  stage.context().fonts().set_watch({[&](std::string_view text) {
                                       for (auto& number : numbers_in(text))
                                         ++shown.numbers[std::move(number)];
                                     },
                                     {}});
  stage.frame();
  stage.context().fonts().set_watch({});
  REQUIRE(stage.shell().document().height() < kHigh);
  return shown;
}

int count(const Shown& shown, const std::string& number) {
  const auto found = shown.numbers.find(number);
  return found == shown.numbers.end() ? 0 : found->second;
}

std::string joined(const std::vector<std::string>& numbers) {
  std::string all;
  for (const std::string& number : numbers) all += (all.empty() ? "" : "; ") + number;
  return all;
}

/// A's answer is seen more often where it is the answer than where B's is.
bool follows(const Shown& a, const Shown& b) {
  return std::ranges::all_of(a.answer, [&](const std::string& number) {
    return std::ranges::find(b.answer, number) != b.answer.end() || b.named.contains(number) ||
           count(a, number) > count(b, number);
  });
}

bool leaks(const std::vector<Shown>& runs) {
  std::set<std::vector<std::string>> answers;
  for (const Shown& a : runs) {
    answers.insert(a.answer);
    for (const Shown& b : runs) {
      if (a.answer != b.answer && !follows(a, b)) return false;
    }
  }
  return answers.size() > 1;
}

/// Values near the one that a question sets, which may give another answer.
std::vector<std::string> others_of(const lab::Parameter& parameter, const lab::Value& value) {
  std::vector<std::string> others;
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    for (const std::int64_t other : {*number / 2, *number + 1, *number * 2})
      others.push_back(std::to_string(other));
  }
  if (const auto* on = std::get_if<bool>(&value)) others.push_back(lab::to_text(!*on));
  others.insert(others.end(), parameter.choices.begin(), parameter.choices.end());
  std::erase_if(others, [&](const std::string& text) {
    const auto parsed = lab::parse(parameter, text);
    return !parsed || *parsed == value;
  });
  return others;
}

/// The question's own case, and others that differ from it by one parameter.
Cases cases_of(const lab::PredictDirective& question, const lab::Lesson& lesson) {
  Cases cases{question.set};
  for (const lab::Parameter& parameter : lesson.parameters) {
    const auto set = question.set.find(parameter.name);
    if (!question.set.empty() && set == question.set.end()) continue;
    auto value = set == question.set.end() ? device::Expected<lab::Value>(parameter.initial)
                                           : lab::parse(parameter, set->second);
    REQUIRE(value);
    for (std::string& other : others_of(parameter, *value)) {
      cases.push_back(question.set);
      cases.back()[parameter.name] = std::move(other);
    }
  }
  return cases;
}

/// The chapter as if its question had asked about another case, so that it covers what it would cover there.
lab::Document asking(const lab::Document& document, const std::string& id,
                     const std::map<std::string, std::string>& set) {
  lab::Document other = document;
  for (lab::DocumentNode& node : other.nodes) {
    auto* predict = std::get_if<lab::PredictDirective>(&node);
    if (predict && predict->id == id) predict->set = set;
  }
  return other;
}

/// The question's run and as many others as it takes to see whether something follows its answer.
std::vector<Shown> runs_of(Stage& stage, const lab::Lesson& lesson, const lab::Document& document,
                           const lab::PredictDirective& question) {
  constexpr std::size_t kAnswers = 3, kTries = 8;
  std::vector<Shown> runs;
  std::set<std::vector<std::string>> answers;
  const Cases cases = cases_of(question, lesson);
  for (std::size_t i = 0; i < std::min(cases.size(), kTries) && answers.size() < kAnswers; ++i) {
    lab::PredictDirective asked = question;
    asked.set = cases[i];
    stage.book().open(lesson, asking(document, question.id, cases[i]));
    stage.book().set_inputs(lab::deciding_inputs(asked, lesson, stage.book().inputs()));
    Shown shown = draw(stage, asked);
    if (shown.answer.empty() && i == 0) return {};  // its answer is no number
    if (shown.answer.empty() || !stage.book().report()->errors.empty()) continue;
    answers.insert(shown.answer);
    runs.push_back(std::move(shown));
  }
  return runs;
}

struct Found {
  std::string question;
  std::vector<std::string>
      runs;  ///< of each: its answer, and how often the page shows each of the answers
};

std::vector<Found> leaks_of(Stage& stage, const lab::Lesson& lesson,
                            const lab::Document& document) {
  std::vector<Found> found;
  for (const lab::DocumentNode& node : document.nodes) {
    const auto* question = std::get_if<lab::PredictDirective>(&node);
    if (!question) continue;
    const auto runs = runs_of(stage, lesson, document, *question);
    if (!leaks(runs)) continue;
    Found one{question->id, {}};
    for (const Shown& run : runs) {
      std::string says = joined(run.answer) + ":";
      for (const Shown& other : runs) {
        for (const std::string& number : other.answer)
          says += " " + number + " " + std::to_string(count(run, number)) + " times";
      }
      one.runs.push_back(std::move(says));
    }
    found.push_back(std::move(one));
  }
  return found;
}

Stage& prepared(Stage& stage) {
  ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
  stage.book().set_reduced_motion(true);
  return stage;
}
}  // namespace

TEST_CASE("a number that follows an open question's answer is found, one that is veiled is not") {
  Stage stage(1440, kHigh);
  prepared(stage);
  lab::Document document = made_up::document();
  CHECK(leaks_of(stage, made_up::lesson(), document).empty());
  for (lab::DocumentNode& node : document.nodes) {
    if (auto* predict = std::get_if<lab::PredictDirective>(&node))
      std::erase(predict->veils, "=threads");
  }
  const auto found = leaks_of(stage, made_up::lesson(), document);
  REQUIRE(found.size() == 1);
  CHECK(found[0].question == "threads");
}

TEST_CASE("no chapter shows the answer of a question that is still open, in either language",
          "[long]") {
  for (const std::string language : {"en", "zh"}) {
    for (const lab::Lesson& lesson : lessons::catalogue()) {
      DYNAMIC_SECTION(lesson.slug << " in " << language) {
        Stage stage(1440, kHigh, language);
        prepared(stage);
        const auto document = lab::load_document(WARPBOOK_SOURCE_DIR, lesson.slug, language);
        REQUIRE(document);
        for (const Found& found : leaks_of(stage, lesson, *document)) {
          CAPTURE(language, lesson.slug, found.question, found.runs);
          FAIL_CHECK("the page shows the answer");
        }
      }
    }
  }
}

}  // namespace warpbook::gui::answer_leak_test
