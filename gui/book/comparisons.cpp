#include "gui/book/comparisons.hpp"

#include "lab/report/compare.hpp"

namespace warpbook::gui {

Comparisons::Comparisons(std::function<void()> wake)
    : queue_([this](const std::string& place, const std::stop_token&) { return make(place); },
             std::move(wake)) {}

void Comparisons::want(const std::string& place, RunPair pair) {
  {
    const std::scoped_lock lock(mutex_);
    Place& there = places_[place];
    if (there.wanted == pair) return;
    there.wanted = std::move(pair);
  }
  queue_.add_once(place);
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

bool Comparisons::make(const std::string& place) {
  RunPair pair;
  {
    const std::scoped_lock lock(mutex_);
    const auto found = places_.find(place);
    if (found == places_.end()) return false;
    pair = found->second.wanted;
  }
  auto exhibit = std::make_shared<const lab::Exhibit>(
      lab::comparison_of(*pair.a, *pair.b, pair.name_a, pair.name_b, pair.ids));
  const std::scoped_lock lock(mutex_);
  if (const auto still = places_.find(place); still != places_.end())
    still->second.made = {std::move(pair), std::move(exhibit)};
  return true;
}

}  // namespace warpbook::gui
