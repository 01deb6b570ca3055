// The text of a chapter as data: Markdown with directives, in one language. Drawn by gui/document, read out by
// `warpbook read`, exported as HTML.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "device/error.hpp"
#include "lab/experiment/lesson.hpp"

namespace warpbook::lab {

/// A run of characters with one look.
struct Span {
  enum class Kind : std::uint8_t {
    text,
    code,
    figure,     ///< `=name`: shows the lesson's live figure `text`
    parameter,  ///< `@name`: a parameter's name; focusing it focuses the parameter
    link,       ///< `target` is a chapter slug, "#glossary-term" or an https address
    formula     ///< `text` is its one line of text, `target` its LaTeX, which parse_formula takes
  };
  Kind kind = Kind::text;
  std::string text;
  std::string target;
  bool strong = false, emphasis = false;
};
using Spans = std::vector<Span>;

struct Paragraph {
  Spans spans;
};
struct Heading {
  int level = 2;
  Spans spans;
};
struct ListBlock {
  bool ordered = false;
  std::vector<Spans> items;
};
struct CodeBlock {
  std::string language, text;
  // Of ```program, a whole program in a file of its own:
  std::string file;  ///< below the root; `text` is what it holds, filled by load_document
  std::string
      exhibit;  ///< id of a list of host calls, each shown at the line that stands for it; empty: none
};
/// $$...$$ as a paragraph: a formula by itself.
struct FormulaBlock {
  std::string text, latex;  ///< as a Span of the kind formula has them
};
struct Aside {
  std::string kind;
  std::vector<Spans> paragraphs;
};  ///< from a block quote: `kind` is its bold lead ("Often written, not so")

/// ```step: the chapter's eight steps; what follows belongs to it.
struct StepDirective {
  std::string name;
};  ///< ask predict run explain change compare make look-ahead
/// ```predict: a question answered before the run is seen.
struct PredictDirective {
  struct Choice {
    Spans text;
    std::string value;                       ///< compared with the computed answer
    std::string misconception;               ///< id; empty where none
    Spans why;                               ///< what would have to be true, and what the run shows
    std::map<std::string, std::string> set;  ///< parameters of the case that refutes it
  };
  std::string id;
  Spans question;
  std::string answer;                      ///< name of a Lesson::answers entry
  std::map<std::string, std::string> set;  ///< parameters of the run that decides
  std::string
      source;  ///< a file below the root to put into the first slot for that run; empty: none
  std::string
      source_text;  ///< what that file holds, without its //@ block; filled by load_document
  bool rests_on_gpu =
      false;  ///< its answer, or a figure of its explanations, is another on another GPU
  std::vector<std::string>
      veils;  ///< ids of exhibits, names of figures and kVeiledErrors: hidden until it is answered
  std::vector<std::string>
      always;  ///< of veils: what is the same in every run, so that each would show the answer
  std::vector<Choice> choices;
  Spans right;  ///< said when the choice is right
};
/// ```exhibit: a picture here in the text (small and still).
struct ExhibitDirective {
  std::string id;
  std::string beside;  ///< another one at its right, to be compared with; empty: none
};
/// ```try: something to change, with a button that does it.
struct TryDirective {
  Spans text;
  std::map<std::string, std::string> set;
  std::string source, source_text;  ///< as in PredictDirective
};
/// ```index: the index formula with the linked thread's numbers put in.
struct IndexDirective {
  std::string formula;
};
/// ```compare: two variants of the run, held against each other.
struct CompareDirective {
  struct Variant {
    Spans label;
    std::map<std::string, std::string> set;
    std::string source, source_text;
  };
  std::vector<Variant> variants;      ///< two: A and B
  std::vector<std::string> exhibits;  ///< ids to show of each
};
/// ```exercise: its task, editor and check.
struct ExerciseDirective {
  std::string id;
};
/// ```term: a word explained where it first appears; also the glossary's entry.
struct TermDirective {
  std::string id;
  Spans name;
  std::vector<std::string> forms;  ///< other words by which texts name it: "fused"
  Spans meaning;
  std::string opencl;
};

/// A piece of a chapter, from top to bottom: a paragraph, a list, a directive.
using DocumentNode =
    std::variant<Paragraph, Heading, ListBlock, CodeBlock, FormulaBlock, Aside, StepDirective,
                 PredictDirective, ExhibitDirective, TryDirective, IndexDirective, CompareDirective,
                 ExerciseDirective, TermDirective>;

struct Document {
  std::string language = kEnglish;
  std::string file;   ///< "lessons/first-kernel/en.md"
  std::string title;  ///< the level-1 heading
  std::vector<DocumentNode> nodes;
  std::vector<std::uint32_t> lines;  ///< the source line of each node, from 1
};

/// Parses Markdown whose directives are fenced blocks with a TOML body. The error names file, line, and what is
/// expected: an unknown directive or key, a missing one, a bad value.
device::Expected<Document> parse_document(std::string_view markdown, const std::string& file,
                                          const std::string& language);
/// Reads lessons/<slug>/<code>.md; where that language is missing the error says so.
device::Expected<Document> load_document(const std::string& root, const std::string& slug,
                                         const std::string& language);
/// Holds a document against its lesson: unknown parameter, value, answer, figure, exercise, source, link or term; steps out
/// of order; a typed-in answer; choices without a misconception or its refutation. With the report of a run, exhibits
/// too. All problems, each with its line.
std::vector<device::Error> validate(const Document& document, const Lesson& lesson,
                                    const std::string& root, const Report* report = nullptr);
/// The two languages carry the same directives in the same order: kinds, ids, set, source, answers, veils, choices. Between
/// two directives, and in one, stand the same formulae, in any order.
std::vector<device::Error> compare_directives(const Document& a, const Document& b);

/// The run of a case of the text (a question, a variant): `current` with the lesson's defaults, the case's parameters, and
/// its source in the first slot.
Inputs case_inputs(const std::map<std::string, std::string>& set, const std::string& source_text,
                   const Lesson& lesson, const Inputs& current);
/// The run that a question asks about.
Inputs deciding_inputs(const PredictDirective& question, const Lesson& lesson,
                       const Inputs& current);
/// True where a run of `inputs` shows the question's answer: the question's parameters hold, and its source (where it
/// names one) stands in the first slot.
bool decides(const PredictDirective& question, const Lesson& lesson, const Inputs& inputs);
/// The right choice's value, read off a report that decides; empty where this one does not.
std::optional<std::string> computed_answer(const PredictDirective& question, const Lesson& lesson,
                                           const Report& report);

/// What `veils` calls the errors of a run, which may name what a question asks about.
inline constexpr std::string_view kVeiledErrors = "errors";

/// What a reader has answered: by predict id, the value chosen; "" for "show me".
using AnswersGiven = std::map<std::string, std::string, std::less<>>;
/// The first question that covers exhibit `id` (or figure "=name") of a run of `inputs`: one that is not answered, that
/// veils it, and whose answer that run shows. Null where it may be seen.
const PredictDirective* veiled_by(const Document& document, const Lesson& lesson,
                                  const Inputs& inputs, const AnswersGiven& given,
                                  std::string_view id);

/// The reports of the runs that questions ask about, by predict id.
using DecidingRuns = std::map<std::string, std::shared_ptr<const Report>>;

/// Text for a terminal; questions are shown open, and what they veil is left out, unless answered in `given`. What is said
/// to an answer has its verdict and its figures from the question's run in `deciding`, or else from `report`.
std::string to_text(const Document& document, const Lesson& lesson, const Report* report,
                    const Strings& strings, const AnswersGiven& given,
                    const DecidingRuns& deciding = {}, int width = 100);

}  // namespace warpbook::lab
