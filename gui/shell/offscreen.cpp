#include "gui/shell/offscreen.hpp"

#include <algorithm>
#include <array>

#include <epoxy/egl.h>
#include <epoxy/gl.h>

namespace warpbook::gui {

device::Expected<std::unique_ptr<Offscreen>> Offscreen::make(int width, int height) {
  const auto fail = [](const char* what) {
    return device::failure(device::ErrorCode::no_offscreen, {{"what", what}});
  };
  std::unique_ptr<Offscreen> made(new Offscreen(width, height));
  if (!epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless")) {
    return fail("EGL_MESA_platform_surfaceless");
  }
  const EGLDisplay display =
      eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
  if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr))
    return fail("eglInitialize");
  made->display_ = display;
  if (!eglBindAPI(EGL_OPENGL_API)) return fail("EGL_OPENGL_API");
  constexpr std::array kConfig{EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
  EGLConfig config = nullptr;
  EGLint configs = 0;
  if (!eglChooseConfig(display, kConfig.data(), &config, 1, &configs) || configs == 0)
    return fail("eglChooseConfig");
  constexpr std::array kContext{EGL_CONTEXT_MAJOR_VERSION,
                                3,
                                EGL_CONTEXT_MINOR_VERSION,
                                3,
                                EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                EGL_NONE};
  const EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, kContext.data());
  if (context == EGL_NO_CONTEXT) return fail("OpenGL 3.3");
  made->context_ = context;
  if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
    return fail("eglMakeCurrent");

  GLint largest = 0;
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &largest);
  if (width < 1 || height < 1 || width > largest || height > largest)
    return fail("a framebuffer of that size");
  glGenFramebuffers(1, &made->framebuffer_);
  glGenRenderbuffers(1, &made->colour_);
  glBindRenderbuffer(GL_RENDERBUFFER, made->colour_);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
  made->bind();
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, made->colour_);
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    return fail("a framebuffer");
  return made;
}

Offscreen::~Offscreen() {
  if (context_) {
    glDeleteFramebuffers(1, &framebuffer_);
    glDeleteRenderbuffers(1, &colour_);
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display_, context_);
  }
  if (display_) eglTerminate(display_);
}

void Offscreen::bind() const { glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_); }

std::vector<std::uint8_t> Offscreen::pixels() const {
  const auto row = static_cast<std::size_t>(width_) * 3;
  std::vector<std::uint8_t> pixels(row * static_cast<std::size_t>(height_));
  bind();
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width_, height_, GL_RGB, GL_UNSIGNED_BYTE, pixels.data());
  for (std::size_t y = 0; y < static_cast<std::size_t>(height_) / 2;
       ++y) {  // OpenGL counts rows from the bottom
    std::swap_ranges(pixels.begin() + static_cast<std::ptrdiff_t>(y * row),
                     pixels.begin() + static_cast<std::ptrdiff_t>((y + 1) * row),
                     pixels.end() - static_cast<std::ptrdiff_t>((y + 1) * row));
  }
  return pixels;
}

}  // namespace warpbook::gui
