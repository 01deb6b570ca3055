#include "gui/book/exercise_attempt.hpp"

#include <algorithm>

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::gui {

ExerciseAttempt::ExerciseAttempt(std::string id, std::string root, std::function<void()> wake)
    : id_(std::move(id)), root_(std::move(root)), wake_(std::move(wake)) {}

void ExerciseAttempt::read(const std::string& language) {
  auto text = lab::load_exercise(root_, id_, language);
  if (!text) {
    error_ = text.error();
    return;
  }
  const bool untouched = !text_ || source_ == text_->starter;
  error_.reset();
  text_ = std::move(*text);
  if (source_.empty() || untouched) source_ = text_->starter;
}

void ExerciseAttempt::set_source(std::string source) { source_ = std::move(source); }

void ExerciseAttempt::reset() {
  if (text_) source_ = text_->starter;
}

void ExerciseAttempt::check() {
  if (!text_) return;
  cancel();
  running_ = std::make_shared<Running>();
  running_source_ = source_;
  running_gpu_ = setting_.gpu;
  setting_.seed = lab::seed_of_this_check();
  started_ = std::chrono::steady_clock::now();
  thread_ = std::jthread([running = running_, id = id_, file = file_name(), source = source_,
                          root = root_, wake = wake_, setting = setting_](std::stop_token stop) {
    const auto progress = [&](double fraction, const lab::Message& what) {
      {
        const std::scoped_lock lock(running->mutex);
        running->fraction = fraction;
        running->what = what;
      }
      if (wake) wake();
    };
    auto report = std::make_shared<const lab::CheckReport>(
        lab::check_in_child(id, file, source, root, stop, progress, {}, setting));
    {
      const std::scoped_lock lock(running->mutex);
      running->done = std::move(report);
    }
    if (wake) wake();
  });
}

void ExerciseAttempt::cancel() {
  if (thread_.joinable()) {
    thread_.request_stop();
    thread_.join();
  }
  running_.reset();
}

ExerciseAttempt::Progress ExerciseAttempt::progress() const {
  if (!running_) return {};
  const std::scoped_lock lock(running_->mutex);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started_;
  return {true, running_->fraction, running_->what, elapsed.count()};
}

bool ExerciseAttempt::poll() {
  if (!running_) return false;
  {
    const std::scoped_lock lock(running_->mutex);
    if (!running_->done) return false;
    result_ = running_->done;
  }
  if (thread_.joinable()) thread_.join();
  running_.reset();
  checked_source_ = running_source_;
  checked_gpu_ = running_gpu_;
  if (!stale()) reached_.take(*result_);
  return true;
}

const lab::SourceExhibit* ExerciseAttempt::findings() const {
  return result_ ? result_->report.find_as<lab::SourceExhibit>("submission") : nullptr;
}

bool ExerciseAttempt::lacks_sass() const {
  const lab::SourceExhibit* shown = findings();
  return setting_.sass && shown && !shown->ptx.empty() && !shown->sass && !stale() && !running_;
}

const lab::CheckExhibit::Item* ExerciseAttempt::first_failed() const {
  const auto* check = result_ ? result_->report.find_as<lab::CheckExhibit>("check") : nullptr;
  if (!check) return nullptr;
  const auto found = std::ranges::find(check->items, lab::CheckExhibit::State::failed,
                                       &lab::CheckExhibit::Item::state);
  return found == check->items.end() ? nullptr : &*found;
}

const lab::CheckExhibit::Item* ExerciseAttempt::hinted_item() const {
  return text_ && result_ ? lab::hinted_item(*text_, result_->report) : nullptr;
}

const lab::Hint* ExerciseAttempt::hint() const {
  const auto* item = hinted_item();
  return item ? &lab::hint_for(*text_, *item) : nullptr;
}

std::string ExerciseAttempt::hint_text(int tier, const lab::Strings& strings) const {
  const lab::Hint* current = hint();
  if (!current || tier < 0 || tier >= static_cast<int>(current->tiers.size())) return {};
  return lab::fill_hint(current->tiers[static_cast<std::size_t>(tier)], *hinted_item(),
                        result_->report, strings);
}

int ExerciseAttempt::tiers_shown() const {
  const lab::Hint* current = hint();
  if (!current) return 0;
  const auto found = reached_.hints.find(current->gate);
  return found == reached_.hints.end() ? 0 : found->second;
}

void ExerciseAttempt::show_next_tier() {
  if (const lab::Hint* current = hint()) {
    int& shown = reached_.hints[current->gate];
    shown = std::min(shown + 1, static_cast<int>(current->tiers.size()));
  }
}

void ExerciseAttempt::show_solution() {
  if (!text_ || (text_->reveal != "after-pass" || !passed())) return;
  if (auto solution = lab::load_solution(root_, *text_)) solution_ = std::move(*solution);
}

std::string said_with_got(const lab::CheckExhibit::Item& item, const lab::Strings& strings) {
  std::string what = strings(item.sentence);
  if (item.got.empty()) return what;
  return strings("gui.exercise.found", {{"what", std::move(what)}, {"found", strings(item.got)}});
}

}  // namespace warpbook::gui
