#include "gui/exhibits/in_words.hpp"

#include <algorithm>

#include "gui/controls/code_rows.hpp"
#include "gui/exhibits/drawn.hpp"
#include "lab/render/render.hpp"

namespace warpbook::gui {
namespace {
constexpr float kSize = 14, kLine = 21;
constexpr std::uint64_t kWordsPart = 1ull << 36;  // under which the cache keeps them
}  // namespace

float in_words(const FigureArea& area, const lab::Exhibit& exhibit) {
  const Ui& ui = area.ui;
  const std::size_t columns = code_columns(ui, kSize, area.width);
  FigureInputs inputs = inputs_of(area);
  inputs.add(std::uint64_t{columns});
  const auto& text = ui.cache.latest<std::string>(&exhibit, kWordsPart, inputs, [&] {
    return lab::to_text(exhibit, ui.book.strings(), static_cast<int>(columns));
  });
  float y = area.corner.y;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const std::vector<Token> whole{{0, line.size(), Token::Kind::text}};
    for (const CodeRow& row : code_rows(line, columns)) {  // a table's row may be wider
      if (area.draw) draw_code_row(ui, area.corner.x, y + kLine / 2, kSize, line, whole, row);
      y += kLine;
    }
  }
  return y - area.corner.y;
}

}  // namespace warpbook::gui
