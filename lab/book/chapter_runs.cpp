#include "lab/book/chapter_page.hpp"

namespace warpbook::lab {
namespace {

/// Runs of a chapter, each of its inputs once.
class Runs {
 public:
  Runs(const Lesson& lesson, std::shared_ptr<device::Compiler> compiler, std::string root,
       std::stop_token stop)
      : lesson_(lesson),
        compiler_(std::move(compiler)),
        root_(std::move(root)),
        stop_(std::move(stop)) {}

  ChapterRuns::Run of(const Inputs& inputs) {
    const auto whole = completed(lesson_, inputs, root_);
    const std::uint64_t hash = hash_of(whole ? *whole : inputs);
    ChapterRuns::Run& run = runs_[hash];
    if (!run)
      run = std::make_shared<const Report>(lab::run(lesson_, inputs, compiler_, root_, stop_));
    return run;
  }

 private:
  const Lesson& lesson_;
  std::shared_ptr<device::Compiler> compiler_;
  std::string root_;
  std::stop_token stop_;
  std::map<std::uint64_t, ChapterRuns::Run> runs_;
};

ChapterRuns questions_of(const Document& document, const Lesson& lesson, const Inputs& inputs,
                         Runs& runs, const std::stop_token& stop) {
  ChapterRuns made;
  made.shown = runs.of(inputs);
  for (const DocumentNode& block : document.nodes) {
    if (stop.stop_requested()) break;
    if (const auto* question = std::get_if<PredictDirective>(&block))
      made.deciding[question->id] = runs.of(deciding_inputs(*question, lesson, inputs));
  }
  return made;
}

}  // namespace

ChapterRuns run_questions(const Document& document, const Lesson& lesson, const Inputs& inputs,
                          const std::shared_ptr<device::Compiler>& compiler,
                          const std::string& root, const std::stop_token& stop) {
  Runs runs(lesson, compiler, root, stop);
  return questions_of(document, lesson, inputs, runs, stop);
}

device::Expected<ChapterRuns> run_chapter(const Document& document, const Lesson& lesson,
                                          const Inputs& inputs,
                                          const std::shared_ptr<device::Compiler>& compiler,
                                          const std::string& root, const std::stop_token& stop) {
  Runs runs(lesson, compiler, root, stop);
  ChapterRuns made = questions_of(document, lesson, inputs, runs, stop);
  for (std::size_t at = 0; at < document.nodes.size(); ++at) {
    const DocumentNode& block = document.nodes[at];
    if (const auto* compare = std::get_if<CompareDirective>(&block)) {
      for (const auto& variant : compare->variants) {
        made.variants[at].push_back(
            runs.of(case_inputs(variant.set, variant.source_text, lesson, inputs)));
      }
    } else if (const auto* exercise = std::get_if<ExerciseDirective>(&block)) {
      auto text = load_exercise(root, exercise->id, document.language);
      if (!text) return tl::unexpected(text.error());
      made.exercises[exercise->id] = std::move(*text);
    }
    if (stop.stop_requested()) return device::failure(device::ErrorCode::cancelled, {});
  }
  return made;
}

}  // namespace warpbook::lab
