#include "gui/draw/formula/layout.hpp"

#include <filesystem>

namespace warpbook::gui {

std::optional<MathFont> find_math_font(const std::vector<std::string>& folders) {
  namespace fs = std::filesystem;
  for (const fs::path folder : folders) {
    const fs::path outlines = folder / "latinmodern-math.otf",
                   measures = folder / "latinmodern-math.clm1";
    std::error_code ignored;
    if (fs::exists(outlines, ignored) && fs::exists(measures, ignored))
      return MathFont{outlines.string(), measures.string()};
  }
  return std::nullopt;
}

}  // namespace warpbook::gui
