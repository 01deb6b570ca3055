#include "device/libraries/opengl.hpp"

#include <dlfcn.h>

#include <array>

#include <fmt/format.h>

#include "device/symbol.hpp"

namespace warpbook::device::libraries {
namespace {

// As in EGL 1.5 and EGL_MESA_platform_surfaceless; declared here so that this room needs no headers of OpenGL.
constexpr unsigned kSurfacelessPlatform = 0x31DD, kOpenGlApi = 0x30A2;
constexpr int kNone = 0x3038, kSurfaceType = 0x3033, kRenderableType = 0x3040, kOpenGlBit = 8;
constexpr int kMajor = 0x3098, kMinor = 0x30FB, kProfileMask = 0x30FD, kCoreProfile = 1;
constexpr unsigned kRenderer = 0x1F01, kVersion = 0x1F02;

struct Egl {
  void* (*GetProcAddress)(const char*) = nullptr;
  void* (*GetPlatformDisplay)(unsigned, void*, const int*) = nullptr;
  unsigned (*Initialize)(void*, int*, int*) = nullptr;
  unsigned (*BindAPI)(unsigned) = nullptr;
  unsigned (*ChooseConfig)(void*, const int*, void**, int, int*) = nullptr;
  void* (*CreateContext)(void*, void*, void*, const int*) = nullptr;
  unsigned (*MakeCurrent)(void*, void*, void*, void*) = nullptr;
};

tl::unexpected<Error> opengl_missing(const char* what) {
  return failure(ErrorCode::no_offscreen, {{"what", what}});
}

}  // namespace

Expected<std::string> opengl_renderer() {
  void* const library = ::dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return opengl_missing("libEGL.so.1");
  Egl egl;
  if (!take_symbol(library, "eglGetProcAddress", egl.GetProcAddress) ||
      !take_symbol(library, "eglInitialize", egl.Initialize) ||
      !take_symbol(library, "eglBindAPI", egl.BindAPI) ||
      !take_symbol(library, "eglChooseConfig", egl.ChooseConfig) ||
      !take_symbol(library, "eglCreateContext", egl.CreateContext) ||
      !take_symbol(library, "eglMakeCurrent", egl.MakeCurrent)) {
    return opengl_missing("EGL");
  }
  egl.GetPlatformDisplay = reinterpret_cast<decltype(egl.GetPlatformDisplay)>(
      egl.GetProcAddress("eglGetPlatformDisplayEXT"));
  if (egl.GetPlatformDisplay == nullptr) return opengl_missing("eglGetPlatformDisplayEXT");
  void* const display = egl.GetPlatformDisplay(kSurfacelessPlatform, nullptr, nullptr);
  if (display == nullptr || egl.Initialize(display, nullptr, nullptr) == 0)
    return opengl_missing("eglInitialize");
  if (egl.BindAPI(kOpenGlApi) == 0) return opengl_missing("EGL_OPENGL_API");
  constexpr std::array kConfig{kSurfaceType, 0, kRenderableType, kOpenGlBit, kNone};
  constexpr std::array kContext{kMajor, 3, kMinor, 3, kProfileMask, kCoreProfile, kNone};
  void* config = nullptr;
  int configs = 0;
  if (egl.ChooseConfig(display, kConfig.data(), &config, 1, &configs) == 0 || configs == 0)
    return opengl_missing("eglChooseConfig");
  void* const context = egl.CreateContext(display, config, nullptr, kContext.data());
  if (context == nullptr || egl.MakeCurrent(display, nullptr, nullptr, context) == 0)
    return opengl_missing("OpenGL 3.3");
  using GetString = const char* (*)(unsigned);
  const auto get_string = reinterpret_cast<GetString>(egl.GetProcAddress("glGetString"));
  const char* const renderer = get_string != nullptr ? get_string(kRenderer) : nullptr;
  const char* const version = get_string != nullptr ? get_string(kVersion) : nullptr;
  if (renderer == nullptr || version == nullptr) return opengl_missing("glGetString");
  return fmt::format("{}, OpenGL {}", renderer, version);
}

}  // namespace warpbook::device::libraries
