#include "lab/grading/grade_class.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "device/platform.hpp"
#include "device/records/record.hpp"
#include "device/wire/bytes.hpp"
#include "lab/exercise/check_binary.hpp"
#include "lab/exercise/check_once.hpp"
#include "lab/exercise/hidden_cases.hpp"
#include "lab/text/toml_value.hpp"

namespace warpbook::lab {
namespace {

namespace fs = std::filesystem;
using device::ErrorCode;

constexpr std::uint64_t kLargestKept = 64u << 20;  // bytes of one check's outcome

/// One check that is to be made.
struct Job {
  const HandedIn* file = nullptr;
  const ExerciseText* exercise = nullptr;
  std::uint64_t seed = 0;
  fs::path kept;
  std::optional<CheckReport> report{};
};

/// A report by itself: the same for the same submission, whenever and however fast it was checked.
CheckReport without_times(CheckReport checked) {
  checked.report.when.clear();
  checked.report.compile_seconds = checked.report.run_seconds = 0;
  return checked;
}

/// All that a check depends on decides what it is called, so that no other one is ever taken for it.
std::string kept_name(const Job& job, const GradingSettings& settings) {
  const ExerciseText& exercise = *job.exercise;
  std::string all = fmt::format("{}\n{}\n{}\n{}\n{}\n", exercise.id, job.file->name, job.seed,
                                settings.gpu, device::to_bytes(settings.checks));
  for (const Gate& gate : exercise.gates)
    all += fmt::format("{} {} {} {}\n", gate.id, gate.points, gate.floor.value_or(-1),
                       gate.ceiling.value_or(-1));
  if (const auto solution = load_solution(settings.root, exercise)) all += *solution;
  if (const auto own = device::read_file(hidden_cases_file(settings.root, exercise.id)))
    all += *own;
  all += '\0' + job.file->text;
  const std::string student = device::source_hash(job.file->student);
  return fmt::format("{}-{}-{}.check", exercise.id, student, device::source_hash(all));
}

class ClassGrader {
 public:
  ClassGrader(const Download& download, const Roster* roster, const GradingSettings& settings,
              const std::stop_token& stop)
      : download_(download), roster_(roster), settings_(settings), stop_(stop) {}

  device::Expected<GradedClass> grade() {
    graded_.form = download_.form;
    graded_.nobodys = download_.nobodys;
    graded_.placing = place(download_, settings_.exercises);
    list_students();
    if (auto known = hold_overrides(); !known) return tl::unexpected(known.error());
    list_jobs({});
    if (auto done = check_all(); !done) return tl::unexpected(done.error());
    for (Job& job : jobs_) {
      if (job.report)
        graded_.reports[{job.file->student, job.exercise->id}] = std::move(*job.report);
    }
    fill_grades();
    return std::move(graded_);
  }

  device::Expected<PartDone> check(const Part& part) {
    graded_.placing = place(download_, settings_.exercises);
    list_jobs(part);
    if (auto done = check_all(); !done) return tl::unexpected(done.error());
    const auto broken = std::ranges::count_if(
        jobs_, [](const Job& job) { return !job.report || !job.report->graded; });
    return PartDone{jobs_.size(), static_cast<std::size_t>(broken)};
  }

 private:
  void list_students() {
    ClassGrades& grades = graded_.grades;
    grades.seed = settings_.seed;
    for (const ExerciseText& exercise : settings_.exercises) {
      grades.exercises.push_back(exercise.id);
      grades.possible += exercise.points;
    }
    std::set<std::string> listed;
    const auto add = [&](Student student) {
      if (!listed.insert(student.id).second) return;
      // A roster may say nothing but numbers.
      const auto known = download_.students.find(student.id);
      if (student.name.empty() && known != download_.students.end()) student = known->second;
      const std::uint64_t code = seed_of_student(settings_.seed, student.id, "code of a student");
      grades.students.push_back({student, fmt::format("{:08x}", code >> 32), {}});
    };
    if (roster_) std::ranges::for_each(roster_->students(), add);
    graded_.handed_in = download_.students.size();
    const std::size_t expected = listed.size();
    for (const auto& [id, student] : download_.students) add(student);
    if (roster_) graded_.strangers = listed.size() - expected;
  }

  /// An override for nobody would be lost without a word.
  [[nodiscard]] device::Expected<void> hold_overrides() const {
    std::set<std::string> ids, exercises;
    for (const StudentGrades& each : graded_.grades.students) ids.insert(each.student.id);
    for (const ExerciseText& each : settings_.exercises) exercises.insert(each.id);
    for (const auto& [whom, given] : settings_.overrides) {
      const bool unknown_student = !ids.contains(whom.first);
      if (!unknown_student && exercises.contains(whom.second)) continue;
      const auto& known = unknown_student ? ids : exercises;
      return device::failure(
          ErrorCode::unknown_name,
          {{"kind",
            Message{unknown_student ? "phrase.kind.student" : "phrase.kind.exercise", {}, {}}},
           {"name", unknown_student ? whom.first : whom.second},
           {"known", listed({known.begin(), known.end()})}});
    }
    return {};
  }

  /// One after the other to each part, so that an exercise whose checks take long is spread over all parts.
  void list_jobs(const Part& part) {
    std::uint32_t turn = 0;
    for (const auto& [key, placed] : graded_.placing.placed) {
      if (!placed.counts.problem.empty()) continue;
      turn = turn % part.of + 1;
      if (turn != part.number) continue;
      Job job;
      job.file = &placed.counts;
      job.exercise = &*std::ranges::find(settings_.exercises, key.second, &ExerciseText::id);
      job.seed = seed_of_student(settings_.seed, key.first, key.second);
      job.kept = settings_.kept / kept_name(job, settings_);
      jobs_.push_back(std::move(job));
    }
  }

  device::Expected<void> check_all() {
    std::vector<Job*> left;
    for (Job& job : jobs_) {
      if (settings_.resume) job.report = read_kept(job);
      if (!job.report) left.push_back(&job);
    }
    done_ = jobs_.size() - left.size();
    run(left, std::max(1u, settings_.jobs), false);
    // A machine that was busy with other checks is no reason to judge anyone, so these are made again, one after the other.
    std::vector<Job*> again;
    for (Job* job : left) {
      if (job->report && !job->report->graded && !lacks_library(*job->report)) again.push_back(job);
    }
    run(again, 1, true);
    if (stop_.stop_requested()) return device::failure(ErrorCode::cancelled);
    if (error_) return tl::unexpected(*error_);
    return {};
  }

  /// What is not installed is not there at a second try either.
  static bool lacks_library(const CheckReport& checked) {
    const auto& errors = checked.report.errors;
    return std::ranges::find(errors, ErrorCode::library_missing, &device::Error::code) !=
           errors.end();
  }

  void run(const std::vector<Job*>& jobs, unsigned threads, bool again) {
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
      for (std::size_t i = next++; i < jobs.size() && !stop_.stop_requested(); i = next++)
        make(*jobs[i], again);
    };
    std::vector<std::jthread> pool;
    const std::size_t most = std::min<std::size_t>(threads, jobs.size());
    for (std::size_t i = 0; i < most; ++i) pool.emplace_back(work);
  }

  void make(Job& job, bool again) {
    const CheckSetting setting{settings_.checks, settings_.gpu, false, job.seed};
    job.report =
        without_times(check_once_in_child(job.exercise->id, job.file->name, job.file->text,
                                          settings_.root, stop_, settings_.limits, setting));
    const std::lock_guard guard(mutex_);
    if (job.report->graded) {
      const auto written = device::write_file_atomically(job.kept, to_binary(*job.report));
      if (!written && !error_) error_ = written.error();
    }
    if (!again) ++done_;
    if (settings_.progress) settings_.progress(done_, jobs_.size());
  }

  static std::optional<CheckReport> read_kept(const Job& job) {
    const auto bytes = device::read_file(job.kept, kLargestKept);
    if (!bytes) return {};
    return check_report_from_binary(*bytes);
  }

  void fill_grades() {
    for (StudentGrades& each : graded_.grades.students) {
      for (const ExerciseText& exercise : settings_.exercises) {
        Grade grade;
        grade.exercise = exercise.id;
        grade.possible = exercise.points;
        const auto placed = graded_.placing.placed.find({each.student.id, exercise.id});
        if (placed != graded_.placing.placed.end())
          fill_grade(placed->second, grade);
        else
          grade.why = handed_in_besides(each.student.id);
        const auto given = settings_.overrides.find({each.student.id, exercise.id});
        if (given != settings_.overrides.end()) {
          grade.points = given->second.points;
          grade.override_reason = given->second.reason;
        }
        each.grades.push_back(std::move(grade));
      }
    }
  }

  /// Why a student who handed something in has no grade: it is for no exercise. Empty where nothing was handed in.
  [[nodiscard]] Message handed_in_besides(const std::string& student) const {
    std::vector<std::string> files;
    for (const Unplaced& file : graded_.placing.unplaced) {
      if (file.student == student) files.push_back(file.name);
    }
    if (files.empty()) return {};
    return {"phrase.handed.besides", {{"files", listed(files)}}, {}};
  }

  void fill_grade(const Placed& placed, Grade& grade) const {
    const HandedIn& file = placed.counts;
    grade.file = file.path;
    grade.name = file.name;
    grade.earlier = placed.earlier;
    grade.source = device::source_hash(file.text);
    grade.lateness = lateness_of(file, settings_.late);
    const auto report = graded_.reports.find({file.student, grade.exercise});
    if (report == graded_.reports.end()) {
      grade.state = GradeState::refused;
      grade.why = file.problem;
      return;
    }
    const CheckReport& checked = report->second;
    grade.state = !checked.graded  ? GradeState::not_graded
                  : checked.passed ? GradeState::passed
                                   : GradeState::failed;
    if (!checked.graded && !checked.report.errors.empty())
      grade.why = checked.report.errors.back().message();
    if (const auto* check = checked.report.find_as<CheckExhibit>("check")) {
      for (const CheckExhibit::Item& item : check->items)
        grade.items.push_back({item.id, item.state});
    }
    grade.checked = checked.points;
    grade.points = points_after(settings_.late, grade.lateness, checked.points, grade.possible);
  }

  const Download& download_;
  const Roster* roster_;
  const GradingSettings& settings_;
  const std::stop_token& stop_;
  GradedClass graded_;
  std::vector<Job> jobs_;
  std::mutex mutex_;  // guards the next two, and progress()
  std::size_t done_ = 0;
  std::optional<device::Error> error_;
};

}  // namespace

device::Expected<GradedClass> grade_class(const Download& download, const Roster* roster,
                                          const GradingSettings& settings,
                                          const std::stop_token& stop) {
  return ClassGrader(download, roster, settings, stop).grade();
}

device::Expected<PartDone> check_part(const Download& download, const Part& part,
                                      const GradingSettings& settings,
                                      const std::stop_token& stop) {
  return ClassGrader(download, nullptr, settings, stop).check(part);
}

}  // namespace warpbook::lab
