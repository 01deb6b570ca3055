#include "gui/draw/png.hpp"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#include <stb/stb_image_write.h>

namespace warpbook::gui {

std::string png_of(const Pixels& pixels) {
  std::string bytes;
  const auto append = [](void* to, void* data, int size) {
    static_cast<std::string*>(to)->append(static_cast<const char*>(data),
                                          static_cast<std::size_t>(size));
  };
  stbi_write_png_to_func(append, &bytes, pixels.width, pixels.height, 3, pixels.rgb.data(),
                         pixels.width * 3);
  return bytes;
}

}  // namespace warpbook::gui
