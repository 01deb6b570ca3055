// The faces of the window. A size is given wherever text is drawn, and means the em, as in print.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <imgui.h>

#include "gui/draw/formula/formulae.hpp"

namespace warpbook::gui {

enum class Face : std::uint8_t { sans, bold, mono, mono_bold, slanted };

/// The fonts found on this computer. A missing face is replaced by the nearest one, and listed in missing().
class Fonts {
 public:
  /// Adds the faces to the atlas of the current ImGui context. Searches `folders` before the system's fonts.
  void load(const std::vector<std::string>& folders);

  /// Latin text comes from Roboto, Chinese from the merged face. Where the language has Han marks, those
  /// that both scripts share (quotes, dash, ellipsis) take the Chinese shape, and emphasis is bold.
  [[nodiscard]] ImFont* face(Face face) const {
    return faces_[han_marks_ ? 1 : 0][static_cast<std::size_t>(face)];
  }
  void set_han_marks(bool on) { han_marks_ = on; }
  [[nodiscard]] bool han_marks() const { return han_marks_; }

  /// Told every text that a label is drawn with, and every text that is cut since it has no room. For tests of the
  /// languages; empty otherwise.
  struct Watch {
    std::function<void(std::string_view)> drawn, cut;
  };
  void set_watch(Watch watch) { watch_ = std::move(watch); }
  [[nodiscard]] const Watch& watch() const { return watch_; }

  /// After load().
  [[nodiscard]] Formulae& formulae() const { return *formulae_; }

  /// Names of the packages to install; empty if no face is missing.
  [[nodiscard]] const std::vector<std::string>& missing() const { return missing_; }

 private:
  std::array<std::array<ImFont*, 5>, 2> faces_{};
  bool han_marks_ = false;
  std::unique_ptr<Formulae> formulae_;
  std::vector<std::string> missing_;
  Watch watch_;
};

/// The folders beside the program and above it in which the build puts fonts.
std::vector<std::string> font_folders();

}  // namespace warpbook::gui
