// The reader's attempt at one exercise: its text, what the reader wrote, the hints shown so far, and the check, which
// runs in a process of its own while the window goes on.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "lab/exercise/exercise.hpp"
#include "lab/exercise/work_folder.hpp"

namespace warpbook::gui {

class ExerciseAttempt {
 public:
  ExerciseAttempt(std::string id, std::string root, std::function<void()> wake);

  /// Reads the exercise in this language, and keeps what the reader wrote.
  void read(const std::string& language);
  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] const lab::ExerciseText* text() const { return text_ ? &*text_ : nullptr; }
  [[nodiscard]] const std::optional<device::Error>& error() const { return error_; }

  /// "saxpy.cu"; only where there is a text.
  [[nodiscard]] std::string file_name() const {
    return lab::submission_name(id_, text_->submission);
  }
  [[nodiscard]] const std::string& source() const { return source_; }
  void set_source(std::string source);
  [[nodiscard]] bool edited() const { return text_ && source_ != text_->starter; }
  /// Where the source is saved, as readers are told; empty: nowhere yet.
  [[nodiscard]] const std::string& saved_in() const { return saved_in_; }
  void set_saved_in(std::string file) { saved_in_ = std::move(file); }
  void reset();

  /// The simulated GPU that checks run on from now on.
  void set_gpu(std::string gpu) { setting_.gpu = std::move(gpu); }
  /// Whether checks from the next one on also report the submission's machine code.
  void want_sass(bool wanted) { setting_.sass = wanted; }
  /// The machine code is wanted, but the last check, which is of the current text, did not report it.
  [[nodiscard]] bool lacks_sass() const;

  /// Starts a check of the current text; stops a check that is running.
  void check();
  void cancel();
  struct Progress {
    bool running = false;
    double fraction = 0;
    lab::Message what;
    double seconds = 0;
  };
  [[nodiscard]] Progress progress() const;
  /// Takes in the result of a check that has ended; true if there was one.
  bool poll();
  /// The last check; null before the first.
  [[nodiscard]] std::shared_ptr<const lab::CheckReport> result() const { return result_; }
  /// The first item of the last check that failed; null where none did.
  [[nodiscard]] const lab::CheckExhibit::Item* first_failed() const;
  /// The submission with its findings, if the last check came as far as compiling it; else null.
  [[nodiscard]] const lab::SourceExhibit* findings() const;
  /// The last check was of another text than the current one, or simulated another GPU.
  [[nodiscard]] bool stale() const {
    return result_ && (checked_source_ != source_ || checked_gpu_ != setting_.gpu);
  }
  /// The GPU of the last check if the check is stale for that reason alone; else empty.
  [[nodiscard]] std::string gpu_before() const {
    return stale() && checked_source_ == source_ ? checked_gpu_ : std::string();
  }
  [[nodiscard]] bool passed() const { return !reached_.passed.empty(); }
  /// The best of all checks, and the hints seen.
  [[nodiscard]] const lab::ExerciseProgress& reached() const { return reached_; }
  void set_reached(lab::ExerciseProgress reached) { reached_ = std::move(reached); }

  /// The hint for the first item of the check that failed; null where there is none.
  [[nodiscard]] const lab::Hint* hint() const;
  /// One tier of that hint as Markdown, filled in with the findings of the reader's own check.
  [[nodiscard]] std::string hint_text(int tier, const lab::Strings& strings) const;
  /// Tiers of that hint shown so far.
  [[nodiscard]] int tiers_shown() const;
  void show_next_tier();

  /// The solution's text, once the reader has asked for it and may see it.
  [[nodiscard]] const std::optional<std::string>& solution() const { return solution_; }
  void show_solution();

 private:
  std::string id_, root_;
  std::function<void()> wake_;
  std::optional<lab::ExerciseText> text_;
  std::optional<device::Error> error_;
  std::string source_, checked_source_, checked_gpu_, saved_in_;
  lab::CheckSetting setting_;
  std::shared_ptr<const lab::CheckReport> result_;
  lab::ExerciseProgress reached_;
  std::optional<std::string> solution_;

  /// The first item that failed and has a hint.
  [[nodiscard]] const lab::CheckExhibit::Item* hinted_item() const;

  struct Running {
    std::mutex mutex;
    double fraction = 0;
    lab::Message what;
    std::shared_ptr<const lab::CheckReport> done;
  };
  std::shared_ptr<Running> running_;
  std::string running_source_, running_gpu_;
  std::chrono::steady_clock::time_point started_;
  std::jthread thread_;
};

/// What an item of a check is about, and what was got: "the result is right at every size (7 of 9 cases)".
std::string said_with_got(const lab::CheckExhibit::Item& item, const lab::Strings& strings);

}  // namespace warpbook::gui
