// OpenGL 3.3 with no display: an EGL context without a surface, and a framebuffer to draw into.
#pragma once

#include <memory>

#include "device/error.hpp"
#include "gui/draw/framebuffer.hpp"

namespace warpbook::gui {

class Offscreen {
 public:
  /// `width` and `height` in pixels of the framebuffer. Error: no_offscreen, with what is missing.
  static device::Expected<std::unique_ptr<Offscreen>> make(int width, int height);
  ~Offscreen();
  Offscreen(const Offscreen&) = delete;
  Offscreen& operator=(const Offscreen&) = delete;

  [[nodiscard]] const Framebuffer& screen() const { return *screen_; }

 private:
  Offscreen() = default;
  void* display_ = nullptr;
  void* context_ = nullptr;
  std::unique_ptr<Framebuffer> screen_;
};

}  // namespace warpbook::gui
