#include "cli/known_names.hpp"

#include <algorithm>
#include <variant>
#include <vector>

#include "cli/command.hpp"

namespace warpbook::cli {
namespace {

device::Expected<device::Done> is_among(const std::vector<std::string>& known, const char* kind,
                                        const std::string& name) {
  if (std::ranges::find(known, name) != known.end()) return device::Done{};
  return tl::unexpected(unknown_name(kind, name, known));
}

}  // namespace

device::Expected<device::Done> known_step(const lab::Document& document, const std::string& name) {
  std::vector<std::string> steps;
  for (const lab::DocumentNode& block : document.nodes) {
    if (const auto* step = std::get_if<lab::StepDirective>(&block)) steps.push_back(step->name);
  }
  return is_among(steps, "step", name);
}

device::Expected<device::Done> known_term(const lab::Glossary& glossary, const std::string& id) {
  std::vector<std::string> terms;
  for (const lab::GlossaryEntry& entry : glossary.entries()) terms.push_back(entry.term.id);
  return is_among(terms, "term", id);
}

device::Expected<device::Done> known_answer(const lab::Document& document,
                                            const std::string& answer) {
  const auto equals = answer.find('=');
  const std::string id = answer.substr(0, equals);
  std::vector<std::string> questions;
  for (const lab::DocumentNode& block : document.nodes) {
    const auto* question = std::get_if<lab::PredictDirective>(&block);
    if (!question) continue;
    questions.push_back(question->id);
    if (question->id != id || equals == std::string::npos) continue;
    std::vector<std::string> values;
    for (const auto& choice : question->choices) values.push_back(choice.value);
    return is_among(values, "choice", answer.substr(equals + 1));
  }
  return is_among(questions, "question", id);
}

}  // namespace warpbook::cli
