// When the window draws a frame. A page at rest draws none: a frame has a cause, which is input, news from a run, something
// that moves, or a message whose time is over.
#pragma once

namespace warpbook::gui {

/// All times in seconds, on one clock.
class Pace {
 public:
  static constexpr double kFrame = 1.0 / 60;     ///< between frames while something moves
  static constexpr double kProgress = 1.0 / 10;  ///< between frames that show how far a run is
  static constexpr double kLook =
      0.25;  ///< how often files are looked at while nothing else happens
  /// How long frames go on after input: menus and tips come with a delay, and settle within a few frames.
  static constexpr double kAwake = 0.4;

  void input(double now) { awake_until_ = now + kAwake; }
  void news() { news_ = true; }
  /// How long to wait for events before the next look at files, or frame.
  [[nodiscard]] double wait(double now) const {
    return last_look_ + (moves(now) ? kFrame : waiting_ ? kProgress : kLook) - now;
  }
  /// How much longer to wait after an event, so that frames do not follow each other too quickly.
  [[nodiscard]] double rest(double now) const { return last_frame_ + kFrame - now; }
  /// Whether a frame is to be drawn now. `due`: when something on screen changes by itself; infinite: never.
  [[nodiscard]] bool draws(double now, double due) {
    last_look_ = now;
    return moves(now) || news_ || due <= now || (waiting_ && now >= last_frame_ + kProgress * 0.9);
  }
  /// A frame was drawn. `busy`: something still moves; `waiting`: a run is in progress.
  void drew(double now, bool busy, bool waiting) {
    last_frame_ = now;
    news_ = false;
    busy_ = busy;
    waiting_ = waiting;
  }

 private:
  [[nodiscard]] bool moves(double now) const { return busy_ || now < awake_until_; }

  double last_look_ = -1, last_frame_ = -1, awake_until_ = -1;
  bool news_ = true, busy_ = false, waiting_ = false;
};

}  // namespace warpbook::gui
