#include "lab/document/directive.hpp"

#include <algorithm>
#include <functional>

#include "lab/text/toml_value.hpp"

namespace warpbook::lab {
namespace {

using device::ErrorCode;

/// Inline Markdown under `key`; nothing where it may be absent and is.
Spans take_spans(TomlReader& reader, std::string_view key, bool needed) {
  const std::string text = needed ? reader.text(key) : reader.optional_text(key);
  if (text.empty()) return {};
  auto spans = parse_inline(text, reader.file(), reader.line_of(key));
  if (!spans) {
    reader.keep(spans.error());
    return {};
  }
  return std::move(*spans);
}

StepDirective read_step(TomlReader& reader) {
  StepDirective step{reader.text("name")};
  const auto& names = step_names();
  if (!step.name.empty() && std::find(names.begin(), names.end(), step.name) == names.end()) {
    reader.refuse("name", in_quotes(step.name), toml_phrase("one-of", {{"known", listed(names)}}));
  }
  return step;
}

PredictDirective::Choice read_choice(const TomlValue& table, TomlReader& outer) {
  TomlReader reader("choice", table, outer.file());
  PredictDirective::Choice choice;
  choice.text = take_spans(reader, "text", true);
  choice.value = reader.scalar("value");
  choice.misconception = reader.optional_text("misconception");
  choice.why = take_spans(reader, "why", false);
  choice.set = reader.scalars("set");
  if (auto error = reader.finish()) outer.keep(std::move(*error));
  return choice;
}

PredictDirective read_predict(TomlReader& reader) {
  PredictDirective predict;
  predict.id = reader.text("id");
  predict.question = take_spans(reader, "question", true);
  predict.answer = reader.text("answer");
  predict.set = reader.scalars("set");
  predict.source = reader.optional_text("source");
  predict.rests_on_gpu = reader.optional_truth("rests_on_gpu").value_or(false);
  predict.veils = reader.texts("veils");
  predict.always = reader.texts("always");
  predict.right = take_spans(reader, "right", true);
  for (const TomlValue* table : reader.tables("choice")) {
    PredictDirective::Choice choice = read_choice(*table, reader);
    const bool again = std::any_of(predict.choices.begin(), predict.choices.end(),
                                   [&](const auto& other) { return other.value == choice.value; });
    if (again && !choice.value.empty()) {
      reader.keep({ErrorCode::repeated_name,
                   {{"kind", device::Message{"phrase.kind.value", {}, {}}}, {"name", choice.value}},
                   {reader.file(), table->line, 0}});
    }
    predict.choices.push_back(std::move(choice));
  }
  if (predict.choices.size() < 2) {
    reader.refuse("choice", toml_phrase("so-many", {{"number", predict.choices.size()}}),
                  toml_phrase("at-least-twice", {{"key", "choice"}}));
  }
  return predict;
}

TryDirective read_try(TomlReader& reader) {
  TryDirective directive;
  directive.text = take_spans(reader, "text", true);
  directive.set = reader.scalars("set");
  directive.source = reader.optional_text("source");
  return directive;
}

CompareDirective read_compare(TomlReader& reader) {
  CompareDirective compare;
  compare.exhibits = reader.texts("exhibits");
  for (const TomlValue* table : reader.tables("variant")) {
    TomlReader inner("variant", *table, reader.file());
    CompareDirective::Variant variant;
    variant.label = take_spans(inner, "label", true);
    variant.set = inner.scalars("set");
    variant.source = inner.optional_text("source");
    if (auto error = inner.finish()) reader.keep(std::move(*error));
    compare.variants.push_back(std::move(variant));
  }
  if (compare.variants.size() != 2) {
    reader.refuse("variant", toml_phrase("so-many", {{"number", compare.variants.size()}}),
                  toml_phrase("exactly-twice", {{"key", "variant"}}));
  }
  if (compare.exhibits.empty())
    reader.refuse("exhibits", toml_phrase("empty"), toml_phrase("ids-to-compare"));
  return compare;
}

TermDirective read_term(TomlReader& reader) {
  TermDirective term;
  term.id = reader.text("id");
  term.name = take_spans(reader, "name", true);
  term.forms = reader.texts("forms");
  term.meaning = take_spans(reader, "meaning", true);
  term.opencl = reader.optional_text("opencl");
  return term;
}

CodeBlock read_program(TomlReader& reader) {
  CodeBlock program{"cuda", {}, reader.text("file"), reader.optional_text("exhibit")};
  return program;
}

struct OptionRow {
  std::string_view name;
  std::function<DocumentNode(TomlReader&)> read;
};

const std::vector<OptionRow>& rows() {
  static const std::vector<OptionRow> table = {
      {"step", read_step},
      {"predict", read_predict},
      {"exhibit",
       [](TomlReader& reader) {
         return ExhibitDirective{reader.text("id"), reader.optional_text("beside")};
       }},
      {"try", read_try},
      {"program", read_program},
      {"index", [](TomlReader& reader) { return IndexDirective{reader.text("formula")}; }},
      {"compare", read_compare},
      {"exercise", [](TomlReader& reader) { return ExerciseDirective{reader.text("id")}; }},
      {"term", read_term},
  };
  return table;
}

}  // namespace

const std::vector<std::string>& directive_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const OptionRow& row : rows()) all.emplace_back(row.name);
    return all;
  }();
  return names;
}

const std::vector<std::string>& code_languages() {
  static const std::vector<std::string> languages = {"cuda", "cpp", "ptx",  "sass",
                                                     "text", "sh",  "json", "python"};
  return languages;
}

const std::vector<std::string>& step_names() {
  static const std::vector<std::string> steps = {"ask",    "predict", "run",  "explain",
                                                 "change", "compare", "make", "look-ahead"};
  return steps;
}

device::Expected<DocumentNode> parse_fence(const Fence& fence, const std::string& file,
                                           std::uint32_t line) {
  const auto& languages = code_languages();
  if (fence.info.empty()) return CodeBlock{"text", fence.body};
  if (std::find(languages.begin(), languages.end(), fence.info) != languages.end()) {
    return CodeBlock{fence.info, fence.body};
  }
  const auto row = std::find_if(rows().begin(), rows().end(),
                                [&](const OptionRow& r) { return r.name == fence.info; });
  if (row == rows().end()) {
    return device::failure(ErrorCode::unknown_directive,
                           {{"name", fence.info},
                            {"known", listed(directive_names())},
                            {"languages", listed(languages)}},
                           {file, line, 0});
  }
  const auto table = parse_toml(fence.body, file, fence.body_line);
  if (!table) return tl::unexpected(table.error());
  TomlReader reader(fence.info, *table, file);
  DocumentNode block = row->read(reader);
  if (auto error = reader.finish()) {
    // What is missing has no line of its own: the fence's is the one to look at.
    if (error->code == ErrorCode::missing_key && error->place.line == fence.body_line)
      error->place.line = line;
    return tl::unexpected(std::move(*error));
  }
  return block;
}

std::string_view directive_kind(const DocumentNode& block) {
  struct Kind {
    std::string_view operator()(const Paragraph&) const { return {}; }
    std::string_view operator()(const Heading&) const { return {}; }
    std::string_view operator()(const ListBlock&) const { return {}; }
    std::string_view operator()(const CodeBlock& code) const {
      return code.file.empty() ? std::string_view() : "program";
    }
    std::string_view operator()(const FormulaBlock&) const { return {}; }
    std::string_view operator()(const Aside&) const { return {}; }
    std::string_view operator()(const StepDirective&) const { return "step"; }
    std::string_view operator()(const PredictDirective&) const { return "predict"; }
    std::string_view operator()(const ExhibitDirective&) const { return "exhibit"; }
    std::string_view operator()(const TryDirective&) const { return "try"; }
    std::string_view operator()(const IndexDirective&) const { return "index"; }
    std::string_view operator()(const CompareDirective&) const { return "compare"; }
    std::string_view operator()(const ExerciseDirective&) const { return "exercise"; }
    std::string_view operator()(const TermDirective&) const { return "term"; }
  };
  return std::visit(Kind{}, block);
}

}  // namespace warpbook::lab
