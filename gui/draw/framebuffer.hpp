// An OpenGL framebuffer off the screen, in the context that is current.
#pragma once

#include <memory>

#include "gui/draw/png.hpp"

namespace warpbook::gui {

class Framebuffer {
 public:
  /// Null where the context has no framebuffer of that size (pixels).
  static std::unique_ptr<Framebuffer> make(int width, int height);
  ~Framebuffer();
  Framebuffer(const Framebuffer&) = delete;
  Framebuffer& operator=(const Framebuffer&) = delete;

  /// OpenGL draws into it from now on, with the viewport across all of it.
  void bind() const;
  [[nodiscard]] Pixels pixels() const;
  /// Copies it into the window, which has so many pixels, and lets OpenGL draw there again.
  void copy_to_window(int width, int height) const;

 private:
  Framebuffer(int width, int height) : width_(width), height_(height) {}
  int width_, height_;
  unsigned framebuffer_ = 0, colour_ = 0;
};

}  // namespace warpbook::gui
