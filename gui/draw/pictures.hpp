// Pictures of many pixels, drawn as one rectangle each: textures of ImGui's renderer, whichever that is.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <imgui.h>

#include "gui/draw/theme.hpp"

namespace warpbook::gui {

/// The textures of one ImGui context. It must live until that context's renderer has been shut down.
class Pictures {
 public:
  /// Lives as long as it is held.
  using Picture = std::shared_ptr<ImTextureData>;

  Pictures() = default;
  ~Pictures();
  Pictures(const Pictures&) = delete;
  Pictures& operator=(const Pictures&) = delete;

  /// Begins a frame of the context: releases the pictures that are no longer held.
  void next_frame();
  /// `pixels`: row by row from the top, `width` per row.
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
