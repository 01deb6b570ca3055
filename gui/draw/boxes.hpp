// Many equal boxes of a lattice, seen without perspective. They take one instanced draw call of OpenGL, however many they
// are, which comes at its place among ImGui's own.
#pragma once

#include <array>
#include <span>

#include <imgui.h>

#include "gui/draw/theme.hpp"

namespace warpbook::gui {

/// How a lattice is seen: its point (x, y, z) is at `origin` + x axes[0] + y axes[1] + z axes[2].
struct BoxView {
  ImVec2 origin;               ///< of the lattice's (0, 0, 0), in ImGui's coordinates
  std::array<ImVec2, 3> axes;  ///< points per unit
  std::array<bool, 3> low;     ///< per axis: the face at the box's lower end is the visible one
  float size = 1;              ///< of a box, in units
};

struct Box {
  float x = 0, y = 0, z = 0;  ///< its lowest corner, in units
  Colour colour = 0;          ///< of its brightest face
};

/// Draws boxes with the OpenGL context that is current when ImGui's lists are rendered. Without one it draws nothing and
/// does not call OpenGL.
class BoxPainter {
 public:
  BoxPainter() = default;
  ~BoxPainter();  ///< if it has drawn, the same context must be current
  BoxPainter(const BoxPainter&) = delete;
  BoxPainter& operator=(const BoxPainter&) = delete;

  /// `boxes` are sorted from the farthest to the nearest, so that later ones cover earlier ones. The painter must live until
  /// the list has been rendered.
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
