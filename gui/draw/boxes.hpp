// Many equal boxes of a lattice, seen without perspective: one instanced draw call of OpenGL, however many there are, in
// its place among what ImGui draws.
#pragma once

#include <array>
#include <span>

#include <imgui.h>

#include "gui/draw/theme.hpp"

namespace warpbook::gui {

/// Where a lattice is seen. A point of it lies at `origin` + x axes[0] + y axes[1] + z axes[2].
struct BoxView {
  ImVec2 origin;               ///< of the lattice's (0, 0, 0), in ImGui's coordinates
  std::array<ImVec2, 3> axes;  ///< points a unit
  std::array<bool, 3>
      low;  ///< of each axis, whether the face at the box's lower end is the one that is seen
  float size = 1;  ///< of a box, in units
};

struct Box {
  float x = 0, y = 0, z = 0;  ///< its lowest corner, in units
  Colour colour = 0;          ///< of its brightest face
};

/// Draws boxes with the OpenGL context that is current when ImGui's lists are rendered. Without one nothing is drawn and
/// nothing asked of OpenGL.
class BoxPainter {
 public:
  BoxPainter() = default;
  ~BoxPainter();  ///< with the context current that it was used in, if it was
  BoxPainter(const BoxPainter&) = delete;
  BoxPainter& operator=(const BoxPainter&) = delete;

  /// `boxes` from the farthest to the nearest: what comes later covers what came before. The painter must live until the
  /// list has been rendered.
  void add(ImDrawList* list, const BoxView& view, std::span<const Box> boxes);

 private:
  struct Batch;
  static void render(const ImDrawList* list, const ImDrawCmd* command);
  /// `boxes`: their bytes, where ImGui put them.
  void draw(const Batch& batch, const void* boxes, const ImVec4& clip);
  bool make();

  unsigned program_ = 0, array_ = 0, buffer_ = 0;
  struct Places {
    int origin = 0, axes = 0, low = 0, size = 0, display_corner = 0, display_size = 0;
  } places_;  ///< of the program's uniforms
  bool refused_ = false;
};

}  // namespace warpbook::gui
