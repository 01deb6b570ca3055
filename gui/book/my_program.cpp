#include "gui/book/my_program.hpp"

#include <system_error>
#include <utility>

#include "device/nvcc/nvcc.hpp"
#include "device/platform.hpp"
#include "lab/exercise/work_folder.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::gui {
namespace {
namespace fs = std::filesystem;
using device::Done;
using device::Error;
using device::ErrorCode;
using device::Expected;

/// From an edit to its saving, between two looks at the file, and until a saving that failed is tried again.
constexpr std::chrono::milliseconds kSaveDelay{400}, kLookInterval{250}, kRetry{3000};
constexpr std::uint64_t kLargestProgram = 4u << 20;  // bytes of its source

Expected<std::string> text_in(const fs::path& file) {
  auto text = device::read_file(file, kLargestProgram);
  if (text && lab::valid_utf8(*text) != *text)
    return device::failure(ErrorCode::not_utf8, {{"file", file.string()}});
  return text;
}

/// That name in the folder, or where it is taken, the first that is free with a number behind it.
fs::path free_file(const fs::path& folder, const std::string& name) {
  const fs::path wanted(name);
  fs::path file = folder / wanted;
  std::error_code ignored;
  for (int number = 2; fs::exists(fs::symlink_status(file, ignored)); ++number)
    file = folder /
           (wanted.stem().string() + "-" + std::to_string(number) + wanted.extension().string());
  return file;
}
}  // namespace

std::vector<std::string> argument_words(std::string_view text) {
  std::vector<std::string> words;
  char quote = 0;  // that has been opened
  bool in_word = false;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\t';
    if (quote == 0 && space) {
      in_word = false;
      continue;
    }
    if (!std::exchange(in_word, true)) words.emplace_back();
    if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    } else {
      words.back() += c;
    }
  }
  return words;
}

// ---- The file -----------------------------------------------------------------------------------

std::optional<MyProgram::Stamp> MyProgram::stamp_of_file() const {
  std::error_code absent;
  const Stamp stamp{fs::last_write_time(file_, absent), fs::file_size(file_, absent)};
  return absent ? std::nullopt : std::optional(stamp);
}

void MyProgram::forget_run() {
  cancel();
  result_.reset();
}

Expected<Done> MyProgram::open(const fs::path& file) {
  std::error_code failed;
  // What a link leads to is edited, and not replaced by a file of ours.
  const fs::path real = fs::canonical(file, failed);
  if (failed)
    return device::failure(ErrorCode::file_unreadable,
                           {{"file", file.string()}, {"why", failed.message()}});
  auto text = text_in(real);
  if (!text) return tl::unexpected(text.error());
  if (auto saved = save(); !saved) return tl::unexpected(saved.error());
  forget_run();
  file_ = real;
  text_ = std::move(*text);
  on_disk_ = text_;
  seen_ = stamp_of_file();
  touched_ = false;
  return Done{};
}

Expected<Done> MyProgram::begin(const std::string& name, std::string text) {
  if (auto saved = save(); !saved) return tl::unexpected(saved.error());
  forget_run();
  file_ = free_file(folder_, name);
  text_ = std::move(text);
  on_disk_.reset();
  seen_.reset();
  touched_ = false;
  return Done{};
}

void MyProgram::set_text(std::string text) {
  if (text == text_) return;
  // Whoever types on puts nothing off: what is saved is never much older than the first edit that is not.
  if (!unsaved()) next_try_ = Clock::now() + kSaveDelay;
  text_ = std::move(text);
  touched_ = true;
}

Expected<fs::path> MyProgram::save() {
  fs::path copy;
  if (!unsaved()) return copy;
  const lab::WorkFolder folder(file_.parent_path());
  std::error_code ignored;
  if (fs::exists(file_, ignored)) {
    const auto theirs = device::read_file(file_, kLargestProgram);
    if (!theirs) return tl::unexpected(theirs.error());
    if (*theirs != text_ && *theirs != on_disk_) {
      auto kept = folder.keep_copy(name(), *theirs);
      if (!kept) return kept;
      copy = std::move(*kept);
    }
  }
  if (const auto written = device::write_file_atomically(file_, text_); !written)
    return tl::unexpected(written.error());
  on_disk_ = text_;
  seen_ = stamp_of_file();
  return copy;
}

bool MyProgram::look_again() {
  if (file_.empty() || unsaved()) return false;
  const auto now = stamp_of_file();
  if (!now || now == seen_) return false;
  auto theirs = text_in(file_);
  if (!theirs) return false;  // whoever edits it sees in their own editor what is wrong with it
  seen_ = now;
  on_disk_ = *theirs;
  if (*theirs == text_) return false;
  text_ = std::move(*theirs);
  return true;
}

MyProgram::DiskNews MyProgram::follow_disk() {
  DiskNews news;
  const auto now = Clock::now();
  if (unsaved() && now >= next_try_) {
    auto saved = save();
    if (saved) {
      news.kept = std::move(*saved);
    } else {
      news.trouble = saved.error();
      next_try_ = now + kRetry;
    }
  }
  if (now >= next_look_) {
    next_look_ = now + kLookInterval;
    news.text_changed = look_again();
  }
  return news;
}

// ---- How it runs --------------------------------------------------------------------------------

void MyProgram::look_for_compiler() {
  const auto nvcc = device::find_nvcc();
  missing_ = nvcc ? std::nullopt : std::optional(nvcc.error());
}

lab::SourceRun MyProgram::order() const { return {file_, text_, argument_words(arguments_), gpu_}; }

Expected<fs::path> MyProgram::run() {
  if (file_.empty()) return fs::path();
  touched_ = true;
  auto saved = save();
  if (!saved) return saved;
  cancel();
  look_for_compiler();
  running_ = std::make_shared<Running>();
  running_order_ = order();
  started_ = Clock::now();
  thread_ = std::jthread([running = running_, order = running_order_,
                          wake = wake_](const std::stop_token& stop) {
    const auto progress = [&](const lab::Message& what) {
      {
        const std::scoped_lock lock(running->mutex);
        running->what = what;
      }
      if (wake) wake();
    };
    auto done = std::make_shared<const lab::SourceResult>(lab::run_source(order, stop, progress));
    {
      const std::scoped_lock lock(running->mutex);
      running->done = std::move(done);
    }
    if (wake) wake();
  });
  return saved;
}

void MyProgram::cancel() {
  if (thread_.joinable()) {
    thread_.request_stop();
    thread_.join();
  }
  running_.reset();
}

MyProgram::Progress MyProgram::progress() const {
  if (!running_) return {};
  const std::scoped_lock lock(running_->mutex);
  const std::chrono::duration<double> elapsed = Clock::now() - started_;
  return {true, running_->what, elapsed.count()};
}

bool MyProgram::poll() {
  if (!running_) return false;
  {
    const std::scoped_lock lock(running_->mutex);
    if (!running_->done) return false;
    result_ = running_->done;
  }
  if (thread_.joinable()) thread_.join();
  running_.reset();
  ran_ = std::move(running_order_);
  return true;
}

void MyProgram::settle() {
  if (thread_.joinable()) thread_.join();
  poll();
}

const lab::SourceExhibit* MyProgram::findings() const {
  return result_ ? result_->report.find_as<lab::SourceExhibit>("source") : nullptr;
}

bool MyProgram::stale() const {
  return result_ &&
         (ran_.text != text_ || ran_.arguments != argument_words(arguments_) || ran_.gpu != gpu_);
}

std::string MyProgram::gpu_before() const {
  const bool same = ran_.text == text_ && ran_.arguments == argument_words(arguments_);
  return stale() && same ? ran_.gpu : std::string();
}

}  // namespace warpbook::gui
