#include "gui/shell/side_runs.hpp"

namespace warpbook::gui {

SideRuns::SideRuns(const lab::Lesson& lesson, std::shared_ptr<device::Compiler> compiler,
                   std::string root, std::function<void()> wake)
    : lesson_(lesson),
      compiler_(std::move(compiler)),
      root_(std::move(root)),
      wake_(std::move(wake)) {
  thread_ = std::jthread([this](std::stop_token stop) { work(stop); });
}

SideRuns::~SideRuns() {
  thread_.request_stop();
  changed_.notify_all();
}

void SideRuns::want(const lab::Inputs& inputs) {
  const std::scoped_lock lock(mutex_);
  if (!reports_.try_emplace(lab::hash_of(inputs)).second) return;
  waiting_.push_back(inputs);
  changed_.notify_all();
}

void SideRuns::keep_only(const lab::Inputs& inputs) {
  const std::scoped_lock lock(mutex_);
  const std::uint64_t hash = lab::hash_of(inputs);
  std::erase_if(reports_, [&](const auto& run) { return run.first != hash; });
  std::erase_if(waiting_, [&](const lab::Inputs& one) { return lab::hash_of(one) != hash; });
}

std::shared_ptr<const lab::Report> SideRuns::find(const lab::Inputs& inputs) const {
  const std::scoped_lock lock(mutex_);
  const auto found = reports_.find(lab::hash_of(inputs));
  return found == reports_.end() ? nullptr : found->second;
}

void SideRuns::settle() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return waiting_.empty() && !running_; });
}

void SideRuns::work(std::stop_token stop) {
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [&] { return !waiting_.empty(); })) {
    const lab::Inputs inputs = std::move(waiting_.front());
    waiting_.pop_front();
    running_ = true;
    lock.unlock();
    auto report =
        std::make_shared<const lab::Report>(lab::run(lesson_, inputs, compiler_, root_, stop));
    lock.lock();
    running_ = false;
    if (stop.stop_requested()) break;
    reports_[lab::hash_of(inputs)] = std::move(report);
    ++done_;
    changed_.notify_all();
    lock.unlock();
    if (wake_) wake_();
    lock.lock();
  }
}

}  // namespace warpbook::gui
