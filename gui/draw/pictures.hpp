// Pictures of many pixels, one rectangle each: textures of whatever renderer ImGui has.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <imgui.h>

#include "gui/draw/theme.hpp"

namespace warpbook::gui {

/// Textures of one ImGui context, drawn where ImGui draws. They must live until that context's renderer has been shut down.
class Pictures {
 public:
  /// There as long as anybody holds it.
  using Picture = std::shared_ptr<ImTextureData>;

  Pictures() = default;
  ~Pictures();
  Pictures(const Pictures&) = delete;
  Pictures& operator=(const Pictures&) = delete;

  /// Begins a frame of the context: pictures that nobody holds any more are let go.
  void next_frame();
  /// `pixels`: row by row from the top, `width` to a row.
  Picture make(std::span<const Colour> pixels, int width);
  /// The part of a picture that begins at pixel (x, y), scaled to [min, max) with hard edges between pixels.
  struct Part {
    int x = 0, y = 0, width = 0, height = 0;
    ImVec2 min, max;
  };
  static void draw(ImDrawList* list, const Picture& picture, std::span<const Part> parts);

 private:
  std::vector<Picture> all_;
};

}  // namespace warpbook::gui
