// The faces of the window. A size is given wherever text is drawn, and means the em, as in print.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include <imgui.h>

#include "gui/draw/formula/formulae.hpp"
#include "lab/text/strings.hpp"

namespace warpbook::gui {

enum class Face : std::uint8_t { sans, bold, mono, mono_bold, slanted };

/// The fonts found on this computer. A missing face is replaced by the nearest one, and listed in missing().
class Fonts {
 public:
  /// Adds the faces to the atlas of the current ImGui context. Searches `folders` before the system's fonts.
  void load(const std::vector<std::string>& folders);

  /// Latin text comes from Roboto, Chinese from the merged face. In Chinese the marks that both
  /// alphabets share (quotes, dash, ellipsis) take the Chinese shape.
  [[nodiscard]] ImFont* face(Face face) const {
    return faces_[chinese_][static_cast<std::size_t>(face)];
  }
  void set_language(lab::Language language) {
    chinese_ = language == lab::Language::chinese ? 1 : 0;
  }
  [[nodiscard]] bool chinese() const { return chinese_ == 1; }

  /// After load().
  [[nodiscard]] Formulae& formulae() const { return *formulae_; }

  /// Names of the packages to install; empty if no face is missing.
  [[nodiscard]] const std::vector<std::string>& missing() const { return missing_; }

 private:
  std::array<std::array<ImFont*, 5>, 2> faces_{};
  std::size_t chinese_ = 0;
  std::unique_ptr<Formulae> formulae_;
  std::vector<std::string> missing_;
};

/// The folders beside the program and above it in which the build puts fonts.
std::vector<std::string> font_folders();

}  // namespace warpbook::gui
