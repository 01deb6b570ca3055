#include "gui/draw/offscreen.hpp"

#include <array>

#include <epoxy/egl.h>

namespace warpbook::gui {

device::Expected<std::unique_ptr<Offscreen>> Offscreen::make(int width, int height) {
  const auto fail = [](const char* what) {
    return device::failure(device::ErrorCode::no_offscreen, {{"what", what}});
  };
  std::unique_ptr<Offscreen> made(new Offscreen);
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

  made->screen_ = Framebuffer::make(width, height);
  if (!made->screen_) return fail("a framebuffer of that size");
  return made;
}

Offscreen::~Offscreen() {
  if (context_) {
    screen_.reset();
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display_, context_);
  }
  if (display_) eglTerminate(display_);
}

}  // namespace warpbook::gui
