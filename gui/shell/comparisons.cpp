#include "gui/shell/comparisons.hpp"

#include <algorithm>

#include "lab/comparison.hpp"

namespace warpbook::gui {

Comparisons::Comparisons(std::function<void()> wake) : wake_(std::move(wake)) {
  thread_ = std::jthread([this](std::stop_token stop) { work(stop); });
}

Comparisons::~Comparisons() {
  thread_.request_stop();
  changed_.notify_all();
}

void Comparisons::want(const std::string& place, RunPair pair) {
  const std::scoped_lock lock(mutex_);
  Place& there = places_[place];
  if (there.wanted == pair) return;
  there.wanted = std::move(pair);
  if (std::ranges::find(waiting_, place) == waiting_.end()) waiting_.push_back(place);
  changed_.notify_all();
}

void Comparisons::forget(const std::string& place) {
  const std::scoped_lock lock(mutex_);
  places_.erase(place);
}

Comparisons::Made Comparisons::find(const std::string& place) const {
  const std::scoped_lock lock(mutex_);
  const auto found = places_.find(place);
  return found == places_.end() ? Made{} : found->second.made;
}

void Comparisons::settle() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return waiting_.empty() && !running_; });
}

void Comparisons::work(std::stop_token stop) {
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [&] { return !waiting_.empty(); })) {
    const std::string place = std::move(waiting_.front());
    waiting_.pop_front();
    const auto found = places_.find(place);
    if (found == places_.end()) {
      changed_.notify_all();  // who settles may wait for this one
      continue;
    }
    const RunPair pair = found->second.wanted;
    running_ = true;
    lock.unlock();
    auto exhibit = std::make_shared<const lab::Exhibit>(
        lab::comparison_of(*pair.a, *pair.b, pair.name_a, pair.name_b, pair.ids));
    lock.lock();
    running_ = false;
    if (const auto still = places_.find(place); still != places_.end())
      still->second.made = {pair, std::move(exhibit)};
    ++done_;
    changed_.notify_all();
    lock.unlock();
    if (wake_) wake_();
    lock.lock();
  }
}

}  // namespace warpbook::gui
