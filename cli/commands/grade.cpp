// warpbook grade and regrade: a class's submissions, from the learning system's download to its gradebook.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <set>
#include <thread>
#include <type_traits>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/checking.hpp"
#include "device/platform.hpp"
#include "exercises/catalogue.hpp"
#include "lab/grading/class_files.hpp"
#include "lab/grading/class_pages.hpp"
#include "lab/grading/course.hpp"
#include "lab/grading/grade_class.hpp"
#include "lab/grading/slurm.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::cli {
namespace {

namespace fs = std::filesystem;
using device::Done;
using device::ErrorCode;
using device::Expected;
using device::Message;

constexpr std::uint64_t kLargestTable = 64u << 20;  // bytes of a roster or of earlier results
constexpr const char* kPages = "students";
constexpr const char* kGradescope = "gradescope";
constexpr const char* kResults = "results.json";
constexpr std::int64_t kMinute = 60;
constexpr double kMostParts =
    1000;  // what Slurm lets an array have unless it is told otherwise (MaxArraySize)

struct Flags {
  std::string submissions, out, course, assignment, roster, due, late, overrides, column;
  std::vector<std::string> exercises;
  std::string part;         ///< "2/8"; empty: the whole class
  std::uint32_t slurm = 0;  ///< parts that Slurm is to make; 0: the checks are made here
  std::uint32_t jobs = 0, grace = 0;
  bool resume = false, anonymous = false;
  LanguageFlag language;
  CheckFlags check;
};

/// The files of a graded class.
struct Folder {
  fs::path path;
  [[nodiscard]] fs::path results() const { return path / "class.json"; }
  [[nodiscard]] fs::path checks() const { return path / "checks"; }
  [[nodiscard]] fs::path key() const { return checks() / "key"; }
  [[nodiscard]] fs::path overview() const { return path / "overview.html"; }
  [[nodiscard]] fs::path slurm_logs() const { return path / "slurm"; }
  [[nodiscard]] fs::path slurm_script() const { return path / "submit.sh"; }
};

Message handed(const char* name) { return {std::string("phrase.handed.") + name, {}, {}}; }

tl::unexpected<device::Error> bad_flag(const char* flag, const std::string& got,
                                       const char* expected) {
  return device::failure(ErrorCode::bad_value, {{"key", flag},
                                                {"what", "warpbook grade"},
                                                {"got", "\"" + got + "\""},
                                                {"expected", handed(expected)}});
}

/// What the course says takes the place of flags that were not given.
Expected<Done> take_course(Flags& flags) {
  if (flags.course.empty()) return Done{};
  const auto course = lab::load_course(flags.course);
  if (!course) return tl::unexpected(course.error());
  const auto assignment = lab::assignment_named(*course, flags.assignment);
  if (!assignment) return tl::unexpected(assignment.error());
  const auto take = [](auto& flag, const auto& said) {
    if (flag == std::remove_reference_t<decltype(flag)>{}) flag = said;
  };
  take(flags.check.seed, course->seed);
  take(flags.roster, course->roster);
  take(flags.exercises, assignment->exercises);
  take(flags.due, assignment->due);
  take(flags.late, assignment->late);
  take(flags.grace, assignment->grace);
  take(flags.column, assignment->column);
  take(flags.overrides, assignment->overrides);
  return Done{};
}

Expected<lab::LateRule> late_rule(const Flags& flags) {
  auto rule = lab::parse_late_rule(flags.late.empty() ? "none" : flags.late);
  if (!rule) return bad_flag("--late", flags.late, "late-rule");
  if (!flags.due.empty()) {
    rule->due = lab::parse_time(flags.due);
    if (!rule->due) return bad_flag("--due", flags.due, "time");
  }
  rule->grace = flags.grace * kMinute;
  return *rule;
}

/// What --part says: "2/8".
Expected<lab::Part> part_of(const std::string& text) {
  lab::Part part;
  const char* const end = text.data() + text.size();
  const auto number = std::from_chars(text.data(), end, part.number);
  const bool slash = number.ec == std::errc() && number.ptr != end && *number.ptr == '/';
  const auto of = slash ? std::from_chars(number.ptr + 1, end, part.of) : number;
  if (!slash || of.ec != std::errc() || of.ptr != end || part.number < 1 || part.number > part.of)
    return bad_flag("--part", text, "part");
  return part;
}

/// The exercises that --exercises names; without it, those for which there is a file.
Expected<std::vector<lab::ExerciseText>> exercises_of(const Flags& flags,
                                                      const lab::Download& download) {
  std::vector<std::string> ids;
  for (const std::string& list : flags.exercises) {
    for (std::size_t from = 0; from <= list.size();) {
      const std::size_t to = std::min(list.find(',', from), list.size());
      if (to > from) ids.push_back(list.substr(from, to - from));
      from = to + 1;
    }
  }
  const bool named = !ids.empty();
  if (!named) ids = names_of(exercises::catalogue(), &lab::Exercise::id);
  std::vector<lab::ExerciseText> texts;
  for (const std::string& id : ids) {
    auto text = exercise_named(id, flags.language.language());
    if (!text) return tl::unexpected(text.error());
    texts.push_back(std::move(*text));
  }
  if (named) return texts;
  const lab::Placing placing = lab::place(download, texts);
  std::erase_if(texts, [&](const lab::ExerciseText& text) {
    return std::ranges::none_of(placing.placed,
                                [&](const auto& placed) { return placed.first.second == text.id; });
  });
  if (texts.empty()) {
    return device::failure(ErrorCode::file_unreadable,
                           {{"file", flags.submissions}, {"why", handed("no-exercise")}});
  }
  return texts;
}

/// The key of the hidden cases: --seed, else the one that this class has had, else a new one. It is kept, so that whoever goes on or
/// grades again gives each student the same cases.
Expected<std::uint64_t> class_key(const Flags& flags, const Folder& folder) {
  std::uint64_t key = flags.check.seed.value_or(lab::seed_of_this_check());
  if (!flags.check.seed) {
    const auto kept = device::read_file(folder.key(), kLargestTable);
    // Parts that drew a key each would give no student the cases that the results are made from.
    if (!kept && !flags.part.empty()) return bad_flag("--part", flags.part, "part-needs-key");
    if (kept) std::from_chars(kept->data(), kept->data() + kept->size(), key);
  }
  const auto written = device::write_file_atomically(folder.key(), std::to_string(key));
  if (!written) return tl::unexpected(written.error());
  return key;
}

Expected<lab::GradingSettings> settings_of(const Flags& flags, const Folder& folder,
                                           const lab::Download& download) {
  lab::GradingSettings settings;
  auto texts = exercises_of(flags, download);
  if (!texts) return tl::unexpected(texts.error());
  settings.exercises = std::move(*texts);
  for (const lab::ExerciseText& text : settings.exercises) {
    if (auto boxed = boxed_or_trusted(text, flags.check, flags.submissions); !boxed)
      return tl::unexpected(boxed.error());
  }
  const auto check = flags.check.setting("");
  if (!check) return tl::unexpected(check.error());
  settings.checks = check->checks;
  settings.gpu = check->gpu;
  const auto rule = late_rule(flags);
  if (!rule) return tl::unexpected(rule.error());
  settings.late = *rule;
  if (!flags.overrides.empty()) {
    const auto toml = device::read_file(flags.overrides, kLargestTable);
    if (!toml) return tl::unexpected(toml.error());
    auto overrides = lab::parse_overrides(*toml, flags.overrides);
    if (!overrides) return tl::unexpected(overrides.error());
    settings.overrides = std::move(*overrides);
  }
  const auto key = class_key(flags, folder);
  if (!key) return tl::unexpected(key.error());
  settings.seed = *key;
  settings.root = device::root_folder().string();
  settings.jobs = flags.jobs != 0 ? flags.jobs : std::max(1u, std::thread::hardware_concurrency());
  settings.kept = folder.checks();
  settings.resume = flags.resume || !flags.part.empty();
  return settings;
}

Expected<std::optional<lab::Roster>> roster_of(const Flags& flags) {
  if (flags.roster.empty()) return std::optional<lab::Roster>();
  const auto text = device::read_file(flags.roster, kLargestTable);
  if (!text) return tl::unexpected(text.error());
  auto roster = lab::Roster::parse(*text, flags.roster);
  if (!roster) return tl::unexpected(roster.error());
  // Said now, since the checks of a class may take an hour.
  if (const auto found = roster->find_column(flags.column); !found)
    return tl::unexpected(found.error());
  return std::optional(std::move(*roster));
}

/// The results that are there; nothing where none are. `grade` refuses to replace them, and `regrade` needs them.
Expected<std::optional<lab::ClassGrades>> earlier_results(const Flags& flags, bool again,
                                                          const Folder& folder) {
  std::error_code ignored;
  if (!fs::exists(folder.results(), ignored)) {
    if (!again) return std::optional<lab::ClassGrades>();
    return device::failure(ErrorCode::file_unreadable,
                           {{"file", flags.out}, {"why", handed("nothing-graded")}});
  }
  if (!again && !flags.resume && flags.part.empty()) {
    return device::failure(ErrorCode::file_unwritable,
                           {{"file", flags.out}, {"why", handed("has-results")}});
  }
  const auto text = device::read_file(folder.results(), kLargestTable);
  if (!text) return tl::unexpected(text.error());
  auto grades = lab::class_grades_from_json(*text, folder.results().string());
  if (!grades) return tl::unexpected(grades.error());
  return std::optional(std::move(*grades));
}

/// Points that were given by hand stay until a file says otherwise; those of students who are no longer in the class are nobody's.
std::size_t keep_overrides(const lab::ClassGrades& before, const lab::Download& download,
                           const std::optional<lab::Roster>& roster,
                           lab::GradingSettings& settings) {
  const auto is_here = [&](const std::string& id) {
    return download.students.contains(id) ||
           (roster && std::ranges::find(roster->students(), id, &lab::Student::id) !=
                          roster->students().end());
  };
  for (const lab::StudentGrades& student : before.students) {
    for (const lab::Grade& grade : student.grades) {
      const bool is_set = std::ranges::find(settings.exercises, grade.exercise,
                                            &lab::ExerciseText::id) != settings.exercises.end();
      if (grade.overridden() && is_set && is_here(student.student.id))
        settings.overrides[{student.student.id, grade.exercise}] = {grade.points,
                                                                    grade.override_reason};
    }
  }
  return settings.overrides.size();
}

/// What goes back into the learning system, where the roster came from one.
Expected<Done> write_gradebook(const Flags& flags, const Folder& folder, const lab::Roster& roster,
                               const lab::ClassGrades& grades) {
  if (roster.form() == lab::RosterForm::table) return Done{};
  std::map<std::string, double> points;
  for (const lab::StudentGrades& student : grades.students) {
    if (student.complete()) points[student.student.id] = student.total();
  }
  const auto filled = roster.filled(points, grades.possible, flags.column);
  if (!filled) return tl::unexpected(filled.error());
  const bool canvas = roster.form() == lab::RosterForm::canvas;
  const auto written = device::write_file_atomically(
      folder.path / (canvas ? "gradebook-canvas.csv" : "gradebook-moodle.csv"), *filled);
  if (!written) return tl::unexpected(written.error());
  return Done{};
}

/// Pages and results of an earlier run that this one does not write: they are stale, and beside codes they would tell the names.
Expected<Done> remove_stale(const Folder& folder, const std::set<fs::path>& written) {
  std::vector<fs::path> stale;
  std::error_code failed;
  for (const char* part : {kPages, kGradescope}) {
    for (const auto& entry : fs::recursive_directory_iterator(folder.path / part, failed)) {
      const fs::path& file = entry.path();
      const bool ours = file.extension() == ".html" || file.filename() == kResults;
      if (entry.is_regular_file(failed) && ours && !written.contains(file)) stale.push_back(file);
    }
  }
  for (const fs::path& file : stale) {
    if (!fs::remove(file, failed) || failed) {
      return device::failure(ErrorCode::file_unwritable,
                             {{"file", file.string()}, {"why", Message::plain(failed.message())}});
    }
    if (file.filename() == kResults) fs::remove(file.parent_path(), failed);  // where it is empty
  }
  return Done{};
}

/// Everything but class.json, which comes last: where it is, all else is there.
Expected<Done> write_results(const Flags& flags, const Folder& folder,
                             const lab::GradedClass& graded, const lab::GradingSettings& settings,
                             const std::optional<lab::Roster>& roster,
                             const std::vector<lab::GradeChange>& changes,
                             const lab::Strings& strings) {
  const lab::ClassPages pages(graded, settings, strings, flags.anonymous);
  std::vector<std::pair<fs::path, std::string>> files;
  for (const lab::StudentGrades& student : graded.grades.students) {
    const std::string name = pages.file_name(student);
    files.emplace_back(folder.path / kPages / name, pages.student_page(student));
    std::string results = gradescope_results(student, graded, settings, strings);
    if (!results.empty()) {
      files.emplace_back(folder.path / kGradescope / fs::path(name).stem() / kResults,
                         std::move(results));
    }
  }
  files.emplace_back(folder.path / "grades.csv", grades_csv(graded.grades, strings));
  files.emplace_back(folder.overview(), pages.overview(kPages, changes));
  std::set<fs::path> names;
  for (const auto& [file, text] : files) names.insert(file);
  if (auto removed = remove_stale(folder, names); !removed) return removed;
  for (const auto& [file, text] : files) {
    if (auto written = device::write_file_atomically(file, text); !written)
      return tl::unexpected(written.error());
  }
  if (roster) {
    if (auto written = write_gradebook(flags, folder, *roster, graded.grades); !written)
      return written;
  }
  const auto written = device::write_file_atomically(folder.results(), to_json_text(graded.grades));
  if (!written) return tl::unexpected(written.error());
  return Done{};
}

void print_changes(const std::vector<lab::GradeChange>& changes, bool anonymous,
                   const lab::Strings& strings) {
  const auto said = [&](const lab::Grade& grade) {
    return (grade.counts() ? lab::points_text(grade.points) + " " : "") +
           lab::state_word(grade, strings);
  };
  if (changes.empty()) fmt::print("{}\n", strings("cli.grade.unchanged"));
  if (!changes.empty())
    fmt::print("{}\n", lab::counted(strings, "cli.grade.changed", changes.size()));
  for (const lab::GradeChange& change : changes) {
    fmt::print("  {}\n", strings("cli.grade.change",
                                 {{"student", anonymous ? change.code : change.student.id},
                                  {"exercise", change.exercise},
                                  {"before", said(change.before)},
                                  {"after", said(change.after)},
                                  {"why", strings(change.why)}}));
  }
}

std::size_t count_of(const lab::ClassGrades& grades, lab::GradeState state) {
  std::size_t count = 0;
  for (const lab::StudentGrades& student : grades.students)
    count +=
        static_cast<std::size_t>(std::ranges::count(student.grades, state, &lab::Grade::state));
  return count;
}

/// What came of it; the exit code.
int print_summary(const lab::GradedClass& graded, const lab::LateRule& late, const Folder& folder,
                  bool anonymous, const lab::Strings& strings) {
  using enum lab::GradeState;
  fmt::print("{}\n", strings("cli.grade.done", {{"students", graded.grades.students.size()},
                                                {"passed", count_of(graded.grades, passed)},
                                                {"failed", count_of(graded.grades, failed) +
                                                               count_of(graded.grades, refused)},
                                                {"missing", count_of(graded.grades, missing)}}));
  for (const std::string& warning : lab::class_warnings(graded, late, anonymous, strings))
    fmt::print("{}\n", warning);
  const std::size_t left = graded.placing.unplaced.size() + graded.nobodys.size();
  if (left != 0) fmt::print("{}\n", lab::counted(strings, "cli.grade.leftovers", left));
  fmt::print("{}\n", strings("cli.grade.overview", {{"file", folder.overview().string()}}));
  const std::size_t broken = count_of(graded.grades, not_graded);
  if (broken != 0) fmt::print("{}\n", lab::counted(strings, "cli.grade.not-graded", broken));
  return broken == 0 ? kDone : kMissing;
}

/// The command that a job of Slurm runs, in any folder and on any node that sees the same files.
std::vector<std::string> job_command(const Flags& flags) {
  std::vector<std::string> words{device::executable_path().string(), "grade",
                                 fs::absolute(flags.submissions).string()};
  const auto add = [&](const char* flag, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {flag, value});
  };
  const auto add_file = [&](const char* flag, const std::string& file) {
    if (!file.empty()) add(flag, fs::absolute(file).string());
  };
  add_file("--out", flags.out);
  add_file("--course", flags.course);
  add_file("--roster", flags.roster);
  add_file("--overrides", flags.overrides);
  add("--assignment", flags.assignment);
  for (const std::string& exercises : flags.exercises) add("--exercises", exercises);
  add("--column", flags.column);
  add("--due", flags.due);
  if (flags.grace != 0) add("--grace", std::to_string(flags.grace));
  add("--late", flags.late);
  if (flags.check.seed) add("--seed", std::to_string(*flags.check.seed));
  add("--check", flags.check.checks);
  add("--gpu", flags.check.gpu);
  add("--lang", flags.language.language());
  if (flags.check.trust) words.emplace_back("--trust");
  if (flags.anonymous) words.emplace_back("--anonymous");
  return words;
}

/// Instead of grading: writes the script with which Slurm does. All that the jobs will read has been read by now, so what is wrong with it
/// is said here and not by a job in the night.
int write_slurm_script(const Flags& flags, const Folder& folder, const lab::Strings& strings) {
  std::error_code failed;
  fs::create_directories(folder.slurm_logs(), failed);
  const std::string script =
      lab::slurm_script(job_command(flags), flags.slurm, fs::absolute(folder.path));
  const auto written = device::write_file_atomically(folder.slurm_script(), script);
  if (!written) return complain(written.error(), &strings);
  fmt::print("{}\n", strings("cli.grade.slurm", {{"script", folder.slurm_script().string()},
                                                 {"logs", (folder.slurm_logs() / "").string()},
                                                 {"overview", folder.overview().string()}}));
  return kDone;
}

int make_part(const Flags& flags, const lab::Download& download,
              const lab::GradingSettings& settings, const lab::Strings& strings) {
  const auto part = part_of(flags.part);
  if (!part) return complain(part.error(), &strings);
  const auto done = lab::check_part(download, *part, settings);
  if (!done) return complain(done.error(), &strings);
  fmt::print("{}\n", lab::counted(strings, "cli.grade.part", done->checks));
  if (done->not_graded == 0) return kDone;
  fmt::print("{}\n", lab::counted(strings, "cli.grade.not-graded", done->not_graded));
  return kMissing;
}

int grade(Flags flags, bool again) {
  const Flags given = flags;
  const auto strings = flags.language.strings();
  if (const auto taken = take_course(flags); !taken) return complain(taken.error(), strings.get());
  const Folder folder{flags.out};
  const auto before = earlier_results(flags, again, folder);
  if (!before) return complain(before.error(), strings.get());
  auto files = lab::read_download(flags.submissions);
  if (!files) return complain(files.error(), strings.get());
  const auto download = lab::sort_download(std::move(*files));
  if (!download) return complain(download.error(), strings.get());
  const auto roster = roster_of(flags);
  if (!roster) return complain(roster.error(), strings.get());
  auto settings = settings_of(flags, folder, *download);
  if (!settings) return complain(settings.error(), strings.get());
  if (isatty(STDERR_FILENO) != 0) {
    settings->progress = [&](std::size_t done, std::size_t all) {
      fmt::print(stderr, "\r{} ", (*strings)("cli.grade.progress", {{"done", done}, {"all", all}}));
      if (done == all) fmt::print(stderr, "\n");
    };
  }
  if (flags.slurm != 0) return write_slurm_script(given, folder, *strings);
  if (!flags.part.empty()) return make_part(flags, *download, *settings, *strings);
  std::size_t kept = 0;
  if (*before && flags.overrides.empty())
    kept = keep_overrides(**before, *download, *roster, *settings);
  const auto graded = lab::grade_class(*download, *roster ? &**roster : nullptr, *settings);
  if (!graded) return complain(graded.error(), strings.get());
  const auto changes =
      *before ? lab::changes_between(**before, graded->grades) : std::vector<lab::GradeChange>();
  const auto written = write_results(flags, folder, *graded, *settings, *roster, changes, *strings);
  if (!written) return complain(written.error(), strings.get());
  if (*before) print_changes(changes, flags.anonymous, *strings);
  if (kept != 0) fmt::print("{}\n", lab::counted(*strings, "cli.grade.kept-overrides", kept));
  return print_summary(*graded, settings->late, folder, flags.anonymous, *strings);
}

void add_flags(Verb& verb, const std::shared_ptr<Flags>& flags) {
  verb.option("submissions", flags->submissions,
              "A folder or an archive (zip, tar.gz) with the submissions, as Canvas, Moodle or "
              "Gradescope give them, or with one folder a student")
      .required();
  verb.option("--out", flags->out, "The folder of the results").required();
  verb.option("--exercises", flags->exercises,
              "The exercises that were set: ID,ID (default: those for which there is a file)");
  verb.option("--jobs", flags->jobs, "Checks at once (default: one a processor)");
  verb.flag("--resume", flags->resume,
            "Take the checks that are there from a run that was stopped, and make the others");
  verb.option("--roster", flags->roster,
              "The course's students: the gradebook that Canvas exports, the grading worksheet of "
              "Moodle, or a table with a column id");
  verb.option(
      "--column", flags->column,
      "The assignment's column in Canvas's gradebook, where it has several; the grades' column in "
      "a worksheet of Moodle that is not in English");
  verb.option("--course", flags->course,
              "A folder with course.toml: what else is said here, once for all weeks of a course");
  verb.option("--assignment", flags->assignment,
              "The assignment of the course, where it has several");
  verb.option("--due", flags->due, "When it was due: 2026-11-20T23:59+01:00");
  verb.option("--grace", flags->grace, "Minutes after that which cost nothing");
  verb.option("--late", flags->late,
              "What a late submission loses: none, zero, 10% or 10%/day of the points there are "
              "(default: none)");
  verb.option("--overrides", flags->overrides,
              "A file of points given by hand, each with its reason (docs/teaching.md)");
  verb.flag("--anonymous", flags->anonymous, "Pages say codes instead of names");
  verb.option(
      "--seed", flags->check.seed,
      "The key of the hidden cases, which each student has for themselves (default: the one "
      "that this folder of results has had, else a new one)");
  flags->language.add_to(verb);
  flags->check.add_to_class(verb);
}

}  // namespace

void add_grade(CommandLine& line) {
  auto flags = std::make_shared<Flags>();
  Verb verb = line.add("grade", "Grade a class's submissions");
  add_flags(verb, flags);
  verb.option("--slurm", flags->slurm,
              "Write a script that lets Slurm make the checks in so many parts, instead of making "
              "them here")
      .between(1, kMostParts);
  verb.option("--part", flags->part,
              "Make this part of the checks, as in 2/8, and no results: other machines make the "
              "other parts, and --resume then puts them together");
  verb.does([flags] { return grade(*flags, false); });
  Verb again = line.add("regrade", "Grade a class again, and say whose grade changes and why");
  add_flags(again, flags);
  again.does([flags] { return grade(*flags, true); });
}

}  // namespace warpbook::cli
