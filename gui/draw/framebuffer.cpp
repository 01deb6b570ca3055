#include "gui/draw/framebuffer.hpp"

#include <algorithm>

#include <epoxy/gl.h>

namespace warpbook::gui {

std::unique_ptr<Framebuffer> Framebuffer::make(int width, int height) {
  GLint largest = 0;
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &largest);
  if (width < 1 || height < 1 || width > largest || height > largest) return nullptr;
  std::unique_ptr<Framebuffer> made(new Framebuffer(width, height));
  glGenFramebuffers(1, &made->framebuffer_);
  glGenRenderbuffers(1, &made->colour_);
  glBindRenderbuffer(GL_RENDERBUFFER, made->colour_);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
  made->bind();
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, made->colour_);
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) return nullptr;
  return made;
}

Framebuffer::~Framebuffer() {
  glDeleteFramebuffers(1, &framebuffer_);
  glDeleteRenderbuffers(1, &colour_);
}

void Framebuffer::bind() const {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glViewport(0, 0, width_, height_);
}

Pixels Framebuffer::pixels() const {
  const auto row = static_cast<std::size_t>(width_) * 3;
  Pixels made{width_, height_, std::vector<std::uint8_t>(row * static_cast<std::size_t>(height_))};
  bind();
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width_, height_, GL_RGB, GL_UNSIGNED_BYTE, made.rgb.data());
  for (std::size_t y = 0; y < static_cast<std::size_t>(height_) / 2;
       ++y) {  // OpenGL counts rows from the bottom
    std::swap_ranges(made.rgb.begin() + static_cast<std::ptrdiff_t>(y * row),
                     made.rgb.begin() + static_cast<std::ptrdiff_t>((y + 1) * row),
                     made.rgb.end() - static_cast<std::ptrdiff_t>((y + 1) * row));
  }
  return made;
}

void Framebuffer::copy_to_window(int width, int height) const {
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
  glBlitFramebuffer(0, 0, width_, height_, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_LINEAR);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

}  // namespace warpbook::gui
