#include "gui/editor/ptx_pane.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "gui/controls/highlight.hpp"
#include "gui/controls/point.hpp"
#include "gui/controls/widgets.hpp"
#include "gui/editor/ptx_text.hpp"
#include "gui/exhibits/tensor/heat_bar.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::gui {
namespace {
constexpr float kRow = 20, kNumbers = 54, kEmpty = 48;
constexpr std::size_t kMostRows = 26, kFewestRows = 3;

constexpr std::uint64_t kTextPart = 1ull << 37;  // under which the cache keeps it

const PtxText& text_of(const Ui& ui, const lab::SourceExhibit& source) {
  return ui.cache.get<PtxText>(&source, kTextPart, [&] { return PtxText(source.ptx); });
}

void draw_code(const Ui& ui, ImVec2 at, const std::string& line) {
  const Ink ink = ui.ink();
  bool in_comment = false;
  for (const Token& token : highlight(line, Dialect::ptx, in_comment)) {
    const Type type{Face::mono, 13, colour_of(token.kind, ui.theme)};
    const std::string_view piece = std::string_view(line).substr(token.from, token.to - token.from);
    ink.text_middle(at.x, at.y + kRow / 2, type, piece);
    at.x += ink.width(type, piece);
  }
}

/// A text that was not shown before is scrolled to its first instruction, past the compiler's name and the declarations.
void begin_at_code(const lab::SourceExhibit& source, const PtxText& text) {
  constexpr std::uint32_t kLinesAbove = 3;
  const std::uint64_t file = ImGui::GetID(source.file.c_str()) >> 1;  // so that it fits an int
  if (kept("file", 0) == file || source.instructions.empty()) return;
  keep("file", file);
  const std::size_t first = text.row_of(source.instructions.front().ptx_line);
  ImGui::SetScrollY(static_cast<float>(first - std::min<std::size_t>(first, kLinesAbove)) * kRow);
}
}  // namespace

float PtxPane::height(const Ui& ui, const lab::SourceExhibit* source) {
  if (!source || source->ptx.empty()) return kEmpty;
  const std::size_t rows = text_of(ui, *source).rows().size();
  return static_cast<float>(std::clamp(rows, kFewestRows, kMostRows)) * kRow;
}

void PtxPane::follow_link(const Ui& ui, const lab::SourceExhibit& source, const PtxText& text,
                          float height) {
  const Link& link = ui.book.link.current();
  if (link == followed_) return;
  followed_ = link;
  if ((!link.line && !link.ptx_line) || ImGui::IsWindowHovered() || ImGui::IsWindowFocused())
    return;
  const auto lines =
      link.ptx_line ? std::vector{*link.ptx_line} : lab::ptx_lines_of(source, *link.line);
  const float scroll = ImGui::GetScrollY();
  const auto is_in_sight = [&](std::uint32_t ptx) {
    const float top = static_cast<float>(text.row_of(ptx)) * kRow;
    return top >= scroll && top + kRow <= scroll + height;
  };
  if (!lines.empty() && std::ranges::none_of(lines, is_in_sight))
    ImGui::SetScrollY(
        std::max(0.0f, static_cast<float>(text.row_of(lines.front())) * kRow - height / 3));
}

void PtxPane::draw(const Ui& ui, ImVec2 corner, ImVec2 size, const lab::SourceExhibit* source,
                   bool stale) {
  if (!source || source->ptx.empty()) {
    ui.ink().text_middle(corner.x + measure::kPadding, corner.y + kEmpty / 2, ui.caption(),
                         ui.tr("gui.editor.no-ptx"));
    return;
  }
  const PtxText& text = text_of(ui, *source);
  const std::vector<PtxText::Row>& rows = text.rows();
  std::vector<std::uint32_t> stems_from(rows.empty() ? 1 : rows.back().line + 1, 0);
  for (const auto& one : source->instructions) {
    if (one.ptx_line < stems_from.size()) stems_from[one.ptx_line] = one.line;
  }
  const lab::LineHeat& heat = heat_shown(ui, *source);
  const float costs = heat_width(ui, *source) + measure::kGap;
  ImGui::SetCursorScreenPos(corner);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  if (ImGui::BeginChild("ptx lines", size, ImGuiChildFlags_None,
                        ImGuiWindowFlags_HorizontalScrollbar)) {
    begin_at_code(*source, text);
    follow_link(ui, *source, text, size.y);
    const Ink ink = ui.ink();
    const ImVec2 begin = ImGui::GetCursorScreenPos();
    const bool scrolls = static_cast<float>(rows.size()) * kRow > size.y;
    const float right =
        corner.x + size.x - (scrolls ? ImGui::GetStyle().ScrollbarSize : 0) - measure::kGap;
    const Link& linked = ui.book.link.current();
    std::size_t longest = 0;
    for (const PtxText::Row& row : rows) longest = std::max(longest, row.text.size());
    const float wide =
        kNumbers + costs + static_cast<float>(longest + 8) * ink.width({Face::mono, 13, 0}, "0");
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(rows.size()), kRow);
    while (clipper.Step()) {
      for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row) {
        const auto& [number, code] = rows[static_cast<std::size_t>(row)];
        const ImVec2 at{begin.x, begin.y + static_cast<float>(row) * kRow};
        const ImVec2 min{corner.x, at.y}, max{right, at.y + kRow};
        const bool pressed = item(("ptx " + std::to_string(number)).c_str(), at,
                                  {at.x + std::max(wide, size.x - 24), at.y + kRow});
        const bool pointed =
            ImGui::IsItemHovered() || (ImGui::IsItemFocused() && ImGui::GetIO().NavVisible);
        const std::uint32_t line = stems_from[number];
        const bool of_line = line != 0 && linked.line == line, itself = linked.ptx_line == number;
        if (of_line || itself) {
          ink.fill(min, max, ui.theme.accent_tint);
          if (itself || !linked.ptx_line)
            ink.fill(min, {min.x + measure::kAccentBar, max.y}, ui.theme.accent);
        } else if (pointed) {
          ink.fill(min, max, ui.theme.s3);
        }
        ink.text_middle(at.x + kNumbers - 14, at.y + kRow / 2, {Face::mono, 12, ui.theme.t3},
                        std::to_string(number), Align::right);
        draw_code(ui, {at.x + kNumbers, at.y}, code);
        if (line != 0) {
          ink.fill({right - costs, at.y}, max,
                   of_line || itself ? ui.theme.accent_tint : ui.theme.s2);
          heat_mark(ui, right, at.y, kRow, heat.of_ptx(number), heat, stale);
        }
        if (line == 0 || stale) continue;
        Link link;
        link.line = line;
        link.ptx_line = number;
        if (pointed) ui.post([link](Book& book) { book.link.hover(link); });
        if (pressed) pin(ui, link);
      }
    }
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

}  // namespace warpbook::gui
