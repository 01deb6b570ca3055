// Questions and the runs that answer them.
#include <algorithm>

#include "lab/document/markdown.hpp"
#include "lab/document/question_gpu.hpp"

namespace warpbook::lab {
namespace {

// A parameter's value as the lesson types it, so that "0.50" and 0.5 are one.
std::optional<Value> typed(const Lesson& lesson, const std::string& name, const std::string& text) {
  for (const Parameter& parameter : lesson.parameters) {
    if (parameter.name != name) continue;
    auto value = parse(parameter, text);
    if (value) return std::move(*value);
  }
  return std::nullopt;
}

}  // namespace

Inputs case_inputs(const std::map<std::string, std::string>& set, const std::string& source_text,
                   const Lesson& lesson, const Inputs& current) {
  Inputs inputs = current;
  inputs.values = defaults(lesson.parameters);
  inputs.sources.clear();
  for (const auto& [name, text] : set) {
    if (auto value = typed(lesson, name, text)) inputs.values.set(name, std::move(*value));
  }
  if (!source_text.empty() && !lesson.slots.empty())
    inputs.sources[lesson.slots.front().name] = source_text;
  return inputs;
}

Inputs deciding_inputs(const PredictDirective& question, const Lesson& lesson,
                       const Inputs& current) {
  Inputs inputs = case_inputs(question.set, question.source_text, lesson, current);
  inputs.gpu = device::kDefaultGpu;
  return inputs;
}

const device::Properties* gpu_to_name(const PredictDirective& question, const Inputs& current) {
  if (!question.rests_on_gpu) return nullptr;
  const device::Properties* usual = device::find_gpu(device::kDefaultGpu);
  const bool other = current.device == "simulator" && device::find_gpu(current.gpu) != usual;
  return other ? usual : nullptr;
}

bool decides(const PredictDirective& question, const Lesson& lesson, const Inputs& inputs) {
  for (const auto& [name, text] : question.set) {
    const auto wanted = typed(lesson, name, text);
    const Value* value = inputs.values.find(name);
    if (!wanted || !value || *wanted != *value) return false;
  }
  if (question.source_text.empty()) return true;
  if (lesson.slots.empty()) return false;
  const auto edited = inputs.sources.find(lesson.slots.front().name);
  return edited != inputs.sources.end() && edited->second == question.source_text;
}

std::optional<std::string> computed_answer(const PredictDirective& question, const Lesson& lesson,
                                           const Report& report) {
  if (!decides(question, lesson, report.inputs)) return std::nullopt;
  const auto answer =
      std::find_if(lesson.answers.begin(), lesson.answers.end(),
                   [&](const Answer& candidate) { return candidate.name == question.answer; });
  if (answer == lesson.answers.end()) return std::nullopt;
  std::string value = answer->value(report);
  if (value.empty()) return std::nullopt;
  return value;
}

const PredictDirective* veiled_by(const Document& document, const Lesson& lesson,
                                  const Inputs& inputs, const AnswersGiven& given,
                                  std::string_view id) {
  for (const DocumentNode& block : document.nodes) {
    const auto* question = std::get_if<PredictDirective>(&block);
    if (!question || given.contains(question->id)) continue;
    const auto named_in = [&](const std::vector<std::string>& ids) {
      return std::find(ids.begin(), ids.end(), id) != ids.end();
    };
    if (named_in(question->always) ||
        (named_in(question->veils) && decides(*question, lesson, inputs)))
      return question;
  }
  return nullptr;
}

}  // namespace warpbook::lab
