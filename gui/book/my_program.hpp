// The reader's own program: a file of theirs that is edited here and may be edited elsewhere at the same time, and its last run.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "lab/program/source_run.hpp"

namespace warpbook::gui {

/// Words as a shell takes them apart: at spaces, but not within quotation marks of either kind.
std::vector<std::string> argument_words(std::string_view text);

class MyProgram {
 public:
  /// `folder`: where programs are saved that are begun here. `wake` is called on any thread when there is news; may be empty.
  MyProgram(std::filesystem::path folder, std::function<void()> wake)
      : folder_(std::move(folder)), wake_(std::move(wake)) {}

  // ---- The file ---------------------------------------------------------------------------------

  /// Absolute; empty: there is no program yet.
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  [[nodiscard]] std::string name() const { return file_.filename().string(); }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  /// Opens a file; what was open before is saved first. Errors: file_unreadable, not_utf8, and those of save().
  device::Expected<device::Done> open(const std::filesystem::path& file);
  /// Begins a program with this text, in the folder and under this name, with a number behind it where it is taken. There is no
  /// file before the text is edited or run. Errors: those of save(), of what was open before.
  device::Expected<device::Done> begin(const std::string& name, std::string text);

  [[nodiscard]] const std::string& text() const { return text_; }
  void set_text(std::string text);
  /// The reader has changed or run the text, and its file does not hold it.
  [[nodiscard]] bool unsaved() const { return touched_ && on_disk_ != text_; }
  /// Writes the text. Where somebody else has changed the file since it was last looked at, theirs is kept beside it, and the copy's
  /// path comes back; else an empty one. Errors: file_unreadable, file_unwritable.
  device::Expected<std::filesystem::path> save();
  /// Takes in what another editor has saved; true where that is another text. While there are changes of ours that are not saved,
  /// nothing is taken in: save() keeps both.
  bool look_again();

  /// What following the file has brought.
  struct DiskNews {
    bool text_changed = false;
    std::filesystem::path kept;  ///< a copy of another's version; empty: none
    std::optional<device::Error> trouble;
  };
  /// Once per frame: saves soon after an edit, and looks at the file now and then.
  DiskNews follow_disk();

  // ---- How it runs ------------------------------------------------------------------------------

  /// As they are typed.
  [[nodiscard]] const std::string& arguments() const { return arguments_; }
  void set_arguments(std::string arguments) { arguments_ = std::move(arguments); }
  void set_gpu(std::string gpu) { gpu_ = std::move(gpu); }
  /// What is not on this computer but needed to build programs; nothing: all is there.
  [[nodiscard]] const std::optional<device::Error>& missing() const { return missing_; }
  void look_for_compiler();

  /// Saves, builds and runs it on a thread of its own; stops a run that is in progress. Errors: those of save().
  device::Expected<std::filesystem::path> run();
  void cancel();
  struct Progress {
    bool running = false;
    lab::Message what;
    double seconds = 0;
  };
  [[nodiscard]] Progress progress() const;
  /// Takes in a run that has ended; true if there was one.
  bool poll();
  /// Waits for the run in progress, and takes it in.
  void settle();
  /// The last run; null before the first.
  [[nodiscard]] std::shared_ptr<const lab::SourceResult> result() const { return result_; }
  /// The source with the marks of that run; null before the first.
  [[nodiscard]] const lab::SourceExhibit* findings() const;
  /// The last run was of another text, with other arguments, or simulated another GPU.
  [[nodiscard]] bool stale() const;
  /// The GPU of the last run if it is stale for that reason alone; else empty.
  [[nodiscard]] std::string gpu_before() const;

 private:
  using Clock = std::chrono::steady_clock;
  /// What changes about a file when somebody saves it.
  struct Stamp {
    std::filesystem::file_time_type time;
    std::uintmax_t bytes = 0;
    friend bool operator==(const Stamp&, const Stamp&) = default;
  };
  [[nodiscard]] std::optional<Stamp> stamp_of_file() const;
  void forget_run();
  /// Asked for now; the file holds the text.
  [[nodiscard]] lab::SourceRun order() const;

  const std::filesystem::path folder_;
  const std::function<void()> wake_;

  std::filesystem::path file_;
  std::string text_, arguments_, gpu_{device::kDefaultGpu};
  std::optional<std::string>
      on_disk_;  ///< that the file held when it was last looked at; nothing: no file
  std::optional<Stamp> seen_;
  bool touched_ = false;
  Clock::time_point next_look_, next_try_;
  std::optional<device::Error> missing_;

  struct Running {
    std::mutex mutex;
    lab::Message what;
    std::shared_ptr<const lab::SourceResult> done;
  };
  std::shared_ptr<Running> running_;
  lab::SourceRun running_order_, ran_;  ///< of the run in progress, and of the result
  Clock::time_point started_;
  std::shared_ptr<const lab::SourceResult> result_;
  std::jthread thread_;
};

}  // namespace warpbook::gui
