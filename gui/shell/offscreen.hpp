// OpenGL 3.3 with no display: an EGL context without a surface, and a framebuffer to draw into.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "device/error.hpp"

namespace warpbook::gui {

class Offscreen {
 public:
  /// `width` and `height` in pixels of the framebuffer. Error: no_offscreen, with what is missing.
  static device::Expected<std::unique_ptr<Offscreen>> make(int width, int height);
  ~Offscreen();
  Offscreen(const Offscreen&) = delete;
  Offscreen& operator=(const Offscreen&) = delete;

  /// What follows is drawn into the framebuffer.
  void bind() const;
  /// The picture, rows from the top, RGB.
  [[nodiscard]] std::vector<std::uint8_t> pixels() const;
  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }

 private:
  Offscreen(int width, int height) : width_(width), height_(height) {}
  int width_, height_;
  void* display_ = nullptr;
  void* context_ = nullptr;
  unsigned framebuffer_ = 0, colour_ = 0;
};

}  // namespace warpbook::gui
