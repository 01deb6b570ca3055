// Values that move to their new place over a short time, so that the reader sees what changed. Nothing bounces or loops,
// and with reduced motion every value is at its place at once.
#pragma once

#include <cstdint>
#include <unordered_map>

#include <imgui.h>

namespace warpbook::gui {

inline constexpr float kLinkSeconds = 0.15f;  ///< hover, link, reveal
inline constexpr float kMoveSeconds = 0.2f;   ///< wires, bars and cells, and the divider

class Motion {
 public:
  /// Begins a frame at `time` (seconds).
  void next_frame(double time, bool reduced);
  /// The value named `id` now, on its way to `target`. In its first frame it is at its target.
  float to(ImGuiID id, float target, float seconds = kLinkSeconds);
  /// How far (0 to 1) the transition is since `what` changed; 1 if it never did.
  float since(ImGuiID id, std::uint64_t what, float seconds = kLinkSeconds);
  /// How far (0 to 1) the transition is since `id` joined a family that was already drawn; 1 if all came together.
  float coming(ImGuiID family, ImGuiID id, float seconds = kMoveSeconds);
  /// Some value of the last frame has not reached its target.
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
