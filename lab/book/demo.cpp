#include "lab/book/demo.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "device/characters.hpp"
#include "device/device.hpp"
#include "device/platform.hpp"
#include "lab/document/directive.hpp"
#include "lab/report/binary.hpp"
#include "lab/text/toml_value.hpp"

namespace warpbook::lab {
namespace {

using device::Error;
using device::ErrorCode;
namespace fs = std::filesystem;

constexpr std::uint64_t kLargestText = 4u << 20, kLargestReport = 256u << 20;
constexpr double kMostMinutes = 600;

Message demo_phrase(std::string_view name) { return {"phrase.demo." + std::string(name), {}, {}}; }

/// The name becomes one of a file, so it has no sign that a path gives a meaning to.
bool is_name(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    return device::is_letter(c) || device::is_digit(c) || c == '-' || c == '_';
  });
}

void read_source(DemoScreen& screen, const fs::path& folder, TomlReader& reader) {
  screen.source = reader.optional_text("source");
  if (screen.source.empty()) return;
  auto text = device::read_file(folder / screen.source, kLargestText);
  if (text) {
    screen.source_text = std::move(*text);
    return;
  }
  Error error = text.error();
  error.place = {reader.file(), reader.line_of("source"), 0};
  reader.keep(std::move(error));
}

void read_minutes(DemoScreen& screen, TomlReader& reader) {
  screen.minutes = reader.optional_real("minutes");
  if (screen.minutes && (*screen.minutes <= 0 || *screen.minutes > kMostMinutes))
    reader.refuse("minutes", Message::plain(number(*screen.minutes)), demo_phrase("minutes"));
}

DemoScreen read_screen(const TomlValue& table, const fs::path& folder, TomlReader& outer) {
  TomlReader reader("screen", table, outer.file());
  DemoScreen screen;
  screen.line = table.line;
  screen.step = reader.optional_text("step");
  screen.question = reader.optional_text("question");
  screen.exhibit = reader.optional_text("exhibit");
  screen.set = reader.scalars("set");
  screen.gpu = reader.optional_text("gpu");
  screen.reveal = reader.texts("reveal");
  screen.note = reader.optional_text("note");
  for (const char* key : {"step", "question", "exhibit", "set", "gpu", "source", "reveal"})
    screen.lines[key] = reader.line_of(key);
  read_source(screen, folder, reader);
  read_minutes(screen, reader);
  if (!screen.step.empty() && !screen.question.empty())
    reader.refuse("question", in_quotes(screen.question), demo_phrase("step-or-question"));
  if (!is_name(screen.exhibit))
    reader.refuse("exhibit", in_quotes(screen.exhibit), demo_phrase("exhibit"));
  if (screen.step.empty() && screen.question.empty() && screen.exhibit.empty()) {
    reader.keep({ErrorCode::missing_key,
                 {{"what", "screen"}, {"key", "question"}, {"known", demo_phrase("what-to-show")}},
                 {outer.file(), table.line, 0}});
  }
  if (auto error = reader.finish()) outer.keep(std::move(*error));
  return screen;
}

/// Where the screen says that key; the screen's own line where it does not.
std::uint32_t line_of(const DemoScreen& screen, const std::string& key) {
  const auto found = screen.lines.find(key);
  return found == screen.lines.end() ? screen.line : found->second;
}

/// Holds the names of a demo against its chapter.
class DemoValidation {
 public:
  DemoValidation(const Demo& demo, const Lesson& lesson, const Document& document)
      : demo_(demo), lesson_(lesson) {
    for (const Parameter& parameter : lesson.parameters) parameters_.push_back(parameter.name);
    for (const DocumentNode& node : document.nodes) {
      if (const auto* step = std::get_if<StepDirective>(&node)) steps_.push_back(step->name);
      if (const auto* question = std::get_if<PredictDirective>(&node))
        questions_.push_back(question->id);
    }
  }

  std::vector<Error> run() {
    for (const DemoScreen& screen : demo_.screens) check(screen);
    return std::move(errors_);
  }

 private:
  void keep(Error error) {
    error.place = {demo_.file, line_, 0};
    errors_.push_back(std::move(error));
  }
  void want(const std::vector<std::string>& known, const char* kind, const std::string& name) {
    if (name.empty() || std::ranges::find(known, name) != known.end()) return;
    keep({ErrorCode::unknown_name,
          {{"kind", Message{std::string("phrase.kind.") + kind, {}, {}}},
           {"name", name},
           {"known", listed(known)}},
          {}});
  }
  /// What is kept from here on is about this key.
  void turn_to(const DemoScreen& screen, const std::string& key) { line_ = line_of(screen, key); }
  void check(const DemoScreen& screen) {
    turn_to(screen, "step");
    want(steps_, "step", screen.step);
    turn_to(screen, "question");
    want(questions_, "question", screen.question);
    turn_to(screen, "reveal");
    for (const std::string& id : screen.reveal) want(questions_, "question", id);
    turn_to(screen, "set");
    Values values = defaults(lesson_.parameters);
    for (const auto& [name, text] : screen.set) {
      want(parameters_, "parameter", name);
      if (std::ranges::find(parameters_, name) == parameters_.end()) continue;
      if (auto set = assign(lesson_.parameters, values, name + "=" + text); !set) keep(set.error());
    }
    turn_to(screen, "gpu");
    if (!screen.gpu.empty()) {
      if (auto known = device::known_gpu(screen.gpu); !known) keep(known.error());
    }
    turn_to(screen, "source");
    if (!screen.source.empty() && lesson_.slots.empty())
      keep({ErrorCode::bad_value,
            {{"key", "source"},
             {"what", "screen"},
             {"got", in_quotes(screen.source)},
             {"expected", demo_phrase("no-slot")}},
            {}});
  }

  const Demo& demo_;
  const Lesson& lesson_;
  std::vector<std::string> parameters_, steps_, questions_;
  std::uint32_t line_ = 0;
  std::vector<Error> errors_;
};

const PredictDirective* question_of(const DemoScreen& screen, const Document& document) {
  for (const DocumentNode& node : document.nodes) {
    const auto* question = std::get_if<PredictDirective>(&node);
    if (question && question->id == screen.question) return question;
  }
  return nullptr;
}

const std::string& subject_of(const DemoScreen& screen) {
  return !screen.question.empty() ? screen.question
         : !screen.step.empty()   ? screen.step
                                  : screen.exhibit;
}

/// What a screen's files are called: by its subject, so that they stay its own where screens are put before it.
std::string file_stem(const Demo& demo, std::size_t index) {
  const std::string& subject = subject_of(demo.screens[index]);
  const auto before =
      std::count_if(demo.screens.begin(), demo.screens.begin() + static_cast<std::ptrdiff_t>(index),
                    [&](const DemoScreen& earlier) { return subject_of(earlier) == subject; });
  return before == 0 ? subject : subject + "-" + std::to_string(before + 1);
}

fs::path shown_file(const Demo& demo, std::size_t index) {
  return recorded_folder(demo.file) / (file_stem(demo, index) + ".report");
}
fs::path deciding_file(const Demo& demo, std::size_t index) {
  return recorded_folder(demo.file) / (file_stem(demo, index) + ".answer.report");
}

std::shared_ptr<const Report> read_report(const fs::path& file) {
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return nullptr;
  const auto bytes = device::read_file(file, kLargestReport);
  if (!bytes) return nullptr;
  auto report = report_from_binary(*bytes);
  return report ? std::make_shared<const Report>(std::move(*report)) : nullptr;
}

/// Live figures and answers, of which a lecture may name any.
std::vector<LiveFigure> figures_of(const Lesson& lesson) {
  std::vector<LiveFigure> figures = lesson.figures;
  for (const Answer& answer : lesson.answers) figures.push_back({answer.name, answer.value});
  return figures;
}

void compare(const std::vector<LiveFigure>& figures, const Report* kept, const Report* now,
             std::vector<ChangedFigure>& changed) {
  if (!kept || !now) return;
  for (const LiveFigure& figure : figures) {
    ChangedFigure one{figure.name, figure.value(*kept), figure.value(*now)};
    if (one.before != one.now && std::ranges::find(changed, one) == changed.end())
      changed.push_back(std::move(one));
  }
}

}  // namespace

device::Expected<Demo> load_demo(const fs::path& file) {
  const auto text = device::read_file(file, kLargestText);
  if (!text) return tl::unexpected(text.error());
  Demo demo;
  demo.file = file.string();
  const auto table = parse_toml(*text, demo.file);
  if (!table) return tl::unexpected(table.error());
  TomlReader reader("demo.toml", *table, demo.file);
  demo.chapter = reader.text("chapter");
  demo.chapter_line = reader.line_of("chapter");
  for (const TomlValue* each : reader.tables("screen"))
    demo.screens.push_back(read_screen(*each, file.parent_path(), reader));
  if (demo.screens.empty()) {
    reader.keep({ErrorCode::missing_key,
                 {{"what", "demo.toml"}, {"key", "[[screen]]"}, {"known", demo_phrase("screens")}},
                 {demo.file, 1, 0}});
  }
  if (auto error = reader.finish()) return tl::unexpected(std::move(*error));
  return demo;
}

std::vector<Error> validate(const Demo& demo, const Lesson& lesson, const Document& document) {
  return DemoValidation(demo, lesson, document).run();
}

Inputs demo_inputs(const DemoScreen& screen, const Lesson& lesson) {
  Inputs usual;
  if (const device::Properties* gpu = device::find_gpu(screen.gpu); gpu && !screen.gpu.empty()) {
    // The usual GPU keeps the name that inputs have by default, so that the same run has the same hash.
    if (gpu != device::find_gpu(usual.gpu)) usual.gpu = gpu->name;
  }
  return case_inputs(screen.set, screen.source_text, lesson, usual);
}

std::string demo_screen_name(const Demo& demo, std::size_t index) {
  return std::to_string(index + 1) + ", " + subject_of(demo.screens[index]);
}

std::optional<TeachingPlan> plan_of(const Demo& demo) {
  TeachingPlan plan;
  double minutes = 0;
  for (std::size_t i = 0; i < demo.screens.size(); ++i) {
    minutes += demo.screens[i].minutes.value_or(0);
    const int until = static_cast<int>(std::lround(minutes));
    plan.items.push_back({demo_screen_name(demo, i), until - plan.minutes});
    plan.minutes = until;
  }
  if (minutes == 0) return {};
  return plan;
}

DemoRuns run_demo_screen(const Demo& demo, std::size_t index, const Lesson& lesson,
                         const Document& document,
                         const std::shared_ptr<device::Compiler>& compiler, const std::string& root,
                         const std::stop_token& stop) {
  const DemoScreen& screen = demo.screens[index];
  const Inputs inputs = demo_inputs(screen, lesson);
  const auto run_with = [&](const Inputs& wanted) {
    return std::make_shared<const Report>(run(lesson, wanted, compiler, root, stop));
  };
  DemoRuns runs;
  runs.shown = run_with(inputs);
  if (const PredictDirective* question = question_of(screen, document)) {
    const Inputs decided = deciding_inputs(*question, lesson, inputs);
    runs.deciding = decided == inputs ? runs.shown : run_with(decided);
  }
  return runs;
}

std::optional<Error> demo_trouble(const Demo& demo, std::size_t index, const DemoRuns& runs,
                                  const DemoRuns& kept) {
  const DemoScreen& screen = demo.screens[index];
  const auto failed_anew = [](const auto& now, const auto& before) {
    return now && !now->errors.empty() && (!before || before->errors.empty());
  };
  if (!screen.exhibit.empty() && !runs.shown->find(screen.exhibit)) {
    std::vector<std::string> known;
    for (const Exhibit& exhibit : runs.shown->exhibits) known.push_back(exhibit.id);
    return Error{ErrorCode::unknown_name,
                 {{"kind", Message{"phrase.kind.exhibit", {}, {}}},
                  {"name", screen.exhibit},
                  {"known", listed(known)}},
                 {demo.file, line_of(screen, "exhibit"), 0}};
  }
  if (failed_anew(runs.shown, kept.shown)) return runs.shown->errors.front();
  if (failed_anew(runs.deciding, kept.deciding)) return runs.deciding->errors.front();
  return std::nullopt;
}

bool is_of_chapter(const Error& error, const DemoScreen& screen, const DemoRuns& kept) {
  return screen.source.empty() && !kept.shown && error.place.line != 0 &&
         error.code != ErrorCode::unknown_name;
}

fs::path recorded_folder(const fs::path& demo_file) {
  fs::path folder = demo_file;
  return folder.replace_extension(".recorded");
}

device::Expected<device::Done> keep_demo_runs(const Demo& demo, std::size_t index,
                                              const DemoRuns& runs) {
  if (auto kept = device::write_file_atomically(shown_file(demo, index), to_binary(*runs.shown));
      !kept)
    return tl::unexpected(kept.error());
  if (!runs.deciding) return device::Done{};
  if (auto kept =
          device::write_file_atomically(deciding_file(demo, index), to_binary(*runs.deciding));
      !kept)
    return tl::unexpected(kept.error());
  return device::Done{};
}

DemoRuns kept_demo_runs(const Demo& demo, std::size_t index) {
  return {read_report(shown_file(demo, index)), read_report(deciding_file(demo, index))};
}

std::vector<ChangedFigure> changed_figures(const Lesson& lesson, const DemoRuns& kept,
                                           const DemoRuns& now) {
  const std::vector<LiveFigure> figures = figures_of(lesson);
  std::vector<ChangedFigure> changed;
  compare(figures, kept.shown.get(), now.shown.get(), changed);
  compare(figures, kept.deciding.get(), now.deciding.get(), changed);
  return changed;
}

}  // namespace warpbook::lab
