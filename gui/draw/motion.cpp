#include "gui/draw/motion.hpp"

#include <algorithm>

namespace warpbook::gui {
namespace {
constexpr std::size_t kMostTracks = 8192;
constexpr std::uint64_t kForgotten =
    240;  // a value that is not asked for in so many frames is dropped
}  // namespace

void Motion::next_frame(double time, bool reduced) {
  time_ = time;
  reduced_ = reduced;
  moving_ = false;
  ++frame_;
  if (tracks_.size() > kMostTracks)
    std::erase_if(tracks_,
                  [&](const auto& entry) { return entry.second.seen + kForgotten < frame_; });
}

Motion::Track& Motion::track(ImGuiID id, bool& fresh) {
  const auto [entry, added] = tracks_.try_emplace(id);
  fresh = added;
  Track& found = entry->second;
  if (found.seen != frame_) {
    found.before = found.seen;
    found.seen = frame_;
  }
  return found;
}

float Motion::share(const Track& track, float seconds) {
  if (reduced_ || seconds <= 0) return 1;
  const auto passed = static_cast<float>((time_ - track.begin) / static_cast<double>(seconds));
  if (passed >= 1) return 1;
  moving_ = true;
  const float left = 1 - std::max(0.0f, passed);
  return 1 - left * left * left;  // starts fast and ends slowly
}

float Motion::to(ImGuiID id, float target, float seconds) {
  bool fresh = false;
  Track& now = track(id, fresh);
  if (fresh) {
    now.from = now.target = target;
  } else if (now.target != target) {
    now.from += (now.target - now.from) * share(now, seconds);
    now.target = target;
    now.begin = time_;
  }
  return now.from + (now.target - now.from) * share(now, seconds);
}

float Motion::since(ImGuiID id, std::uint64_t what, float seconds) {
  bool fresh = false;
  Track& now = track(id, fresh);
  if (!fresh && now.what != what) now.begin = time_;
  now.what = what;
  return share(now, seconds);
}

float Motion::coming(ImGuiID family, ImGuiID id, float seconds) {
  bool fresh = false;
  const Track& all = track(family, fresh);
  const std::uint64_t drawn_before = all.before;
  const bool first = fresh || drawn_before == 0;
  Track& now = track(id, fresh);
  if (now.before < drawn_before && !first) {
    now.begin = time_;
    now.before = now.seen;  // a value may be asked for twice in a frame
  }
  return share(now, seconds);
}

}  // namespace warpbook::gui
