// Values on their way to where they belong, so that a reader sees what changed. Nothing bounces, nothing loops; with
// reduced motion everything is at its place at once.
#pragma once

#include <cstdint>
#include <unordered_map>

#include <imgui.h>

namespace warpbook::gui {

inline constexpr float kLinkSeconds = 0.15f;  ///< hover, link, reveal
inline constexpr float kMoveSeconds =
    0.2f;  ///< wires, bars and cells that move to new values; the divider

class Motion {
 public:
  /// Begins a frame at `time` (seconds).
  void next_frame(double time, bool reduced);
  /// Where the value named `id` is on its way to `target`; the first time it is there already.
  float to(ImGuiID id, float target, float seconds = kLinkSeconds);
  /// How far along (0 to 1) the change is that made `what` what it is; 1 where it has always been that.
  float since(ImGuiID id, std::uint64_t what, float seconds = kLinkSeconds);
  /// How far along `id` is since it came to be drawn among others that were already there; 1 where all came together.
  float coming(ImGuiID family, ImGuiID id, float seconds = kMoveSeconds);
  /// Something in the last frame was still on its way.
  [[nodiscard]] bool moving() const { return moving_; }
  [[nodiscard]] bool reduced() const { return reduced_; }

 private:
  struct Track {
    float from = 0, target = 0;
    std::uint64_t what = 0;
    double begin = -1e9;
    std::uint64_t seen = 0;    ///< the last frame that asked for it
    std::uint64_t before = 0;  ///< the last frame but that one
  };
  float share(const Track& track, float seconds);
  /// The track, marked as seen; `fresh` where there was none.
  Track& track(ImGuiID id, bool& fresh);

  std::unordered_map<ImGuiID, Track> tracks_;
  double time_ = 0;
  std::uint64_t frame_ = 1;
  bool reduced_ = false, moving_ = false;
};

}  // namespace warpbook::gui
