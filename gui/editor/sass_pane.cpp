#include "gui/editor/sass_pane.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "gui/controls/card.hpp"
#include "gui/controls/highlight.hpp"
#include "gui/controls/point.hpp"
#include "gui/controls/widgets.hpp"
#include "gui/exhibits/exhibit.hpp"
#include "gui/exhibits/tensor/heat_bar.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::gui {
namespace {
constexpr float kRow = 20, kHead = 24, kAddresses = 64, kEmpty = 48, kGapToText = 12;
constexpr std::size_t kMostRows = 26, kFewestRows = 3;

/// The marks of an instruction, right of its text.
enum class SassMark : std::uint8_t { stall, waits, sets, ran };
struct Column {
  SassMark mark;
  const char* item;
  std::string_view name, card;  ///< keys
  float width;
};
constexpr std::array kColumns{
    Column{SassMark::stall, "sass stall", "sass.stall", "sass.card.stall", 38},
    Column{SassMark::waits, "sass waits", "sass.waits", "sass.card.waits", 44},
    Column{SassMark::sets, "sass sets", "sass.sets", "sass.card.sets", 38},
    Column{SassMark::ran, "sass ran", "sass.ran", "sass.card.ran", 56}};

using SassPaneColumns = std::vector<Column>;

/// The columns of a pane of this width, with room for the longest count. In the narrowest pane only the card of a row shows
/// the scheduler's marks.
SassPaneColumns columns_for(const Ui& ui, const device::Sass& sass, float width) {
  constexpr float kNarrow = 460, kStrip = 28;
  SassPaneColumns columns;
  for (const Column& column : kColumns) {
    if (width >= kNarrow || column.mark == SassMark::ran) columns.push_back(column);
  }
  const device::SassFunction function{{}, {}, true, {}};
  device::SassInstruction most;
  most.executed = lab::most_executed(sass);
  const std::string longest = lab::executed_text({&function, &most});
  columns.back().width =
      std::max(columns.back().width, ui.ink().width({Face::mono, 13, 0}, longest) + kStrip);
  return columns;
}

float width_of(const SassPaneColumns& columns) {
  float width = measure::kGap;
  for (const Column& column : columns) width += column.width;
  return width;
}

/// The texts in the columns of a row.
std::string text_of(SassMark mark, const lab::SassRow& row, bool counts) {
  switch (mark) {
    case SassMark::stall: return std::to_string(row.instruction->stall);
    case SassMark::waits: return lab::waits_text(*row.instruction);
    case SassMark::sets: return lab::sets_text(*row.instruction);
    case SassMark::ran: return counts ? lab::executed_text(row) : std::string();
  }
  __builtin_unreachable();
}

bool is_pointed_at() {
  return ImGui::IsItemHovered() || (ImGui::IsItemFocused() && ImGui::GetIO().NavVisible);
}

std::string caption_of(const Ui& ui, const device::Sass& sass) {
  return lab::summary_of(sass, ui.book.strings());
}

float caption_height(const Ui& ui, const device::Sass& sass, float width) {
  constexpr float kAround = 12;
  return words({ui, {0, 0}, width - 2 * measure::kPadding, false}, caption_of(ui, sass),
               ui.caption_style()) +
         kAround;
}

/// The opcode's card: what the opcode does, and what this instruction waits for and sets.
void show_card(const Ui& ui, const lab::SassRow& row, bool counts, ImVec2 min, ImVec2 max) {
  const std::string opcode(device::opcode_of(row.instruction->text));
  std::string facts;
  for (const Column& column : kColumns) {
    const std::string text = text_of(column.mark, row, counts);
    if (text.empty()) continue;
    facts +=
        (facts.empty() ? std::string() : ui.tr("list.clauses")) + ui.tr(column.name) + " " + text;
  }
  word_card(ui, opcode, lab::meaning_of_opcode(opcode, ui.book.strings()), facts, min, max);
}

/// The names of the columns; each has a card.
void draw_head(const Ui& ui, ImVec2 corner, float right, const SassPaneColumns& columns) {
  const Ink ink = ui.ink();
  const float middle = corner.y + kHead / 2;
  float x = right;
  for (auto column = columns.rbegin(); column != columns.rend(); ++column) {
    const ImVec2 min{x - column->width, corner.y}, max{x, corner.y + kHead};
    item(column->item, min, max);
    const bool pointed = is_pointed_at();
    ink.text_middle(x, middle, {Face::sans, 12, pointed ? ui.theme.t1 : ui.theme.t3},
                    ui.tr(column->name), Align::right);
    if (pointed) word_card(ui, ui.tr(column->name), ui.tr(column->card), {}, min, max);
    x = min.x;
  }
}

/// Draws the rows that are in view.
class Rows {
 public:
  Rows(const Ui& ui, const device::Sass& sass, const std::vector<lab::SassRow>& rows, bool stale)
      : ui_(ui),
        rows_(rows),
        most_(lab::most_executed(sass)),
        counts_(!counts_may_answer(ui)),
        stale_(stale) {}

  void draw(ImVec2 corner, float right, const SassPaneColumns& columns) {
    right_ = right;
    marks_ = width_of(columns);
    const ImVec2 begin = ImGui::GetCursorScreenPos();
    std::size_t longest = 0;
    for (const lab::SassRow& row : rows_)
      longest = std::max(longest, row.instruction ? row.instruction->text.size() : 0);
    const float wide = kAddresses + marks_ + kGapToText +
                       static_cast<float>(longest) * ui_.ink().width({Face::mono, 13, 0}, "0");
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(rows_.size()), kRow);
    while (clipper.Step()) {
      for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row) {
        const ImVec2 at{begin.x, begin.y + static_cast<float>(row) * kRow};
        draw_row(static_cast<std::size_t>(row), at, corner.x, std::max(wide, right - corner.x),
                 columns);
      }
    }
  }

 private:
  void draw_row(std::size_t index, ImVec2 at, float left, float wide,
                const SassPaneColumns& columns) {
    const lab::SassRow& row = rows_[index];
    const Ink ink = ui_.ink();
    const bool pressed =
        item(("sass " + std::to_string(index + 1)).c_str(), at, {at.x + wide, at.y + kRow});
    const bool by_key = ImGui::IsItemFocused() && ImGui::GetIO().NavVisible,
               by_mouse = ImGui::IsItemHovered();
    const ImVec2 min{left, at.y}, max{right_, at.y + kRow};
    if (!row.instruction) {
      ink.text_middle(at.x + measure::kGap, at.y + kRow / 2, {Face::mono, 13, ui_.theme.t2},
                      row.function->name);
      return;
    }
    const Colour ground = draw_ground(*row.instruction, by_key || by_mouse, min, max);
    ink.text_middle(at.x + kAddresses - 14, at.y + kRow / 2, {Face::mono, 12, ui_.theme.t3},
                    lab::address_text(*row.instruction), Align::right);
    const ImVec2 opcode = draw_text({at.x + kAddresses, at.y}, row.instruction->text);
    ink.fill({right_ - marks_, at.y}, max, ground);
    draw_marks(row, at.y, columns);
    const bool on_opcode = by_mouse && ImGui::GetIO().MousePos.x >= at.x + kAddresses &&
                           ImGui::GetIO().MousePos.x < opcode.x;
    if (by_key || on_opcode)
      show_card(ui_, row, counts_, {at.x + kAddresses, at.y}, {opcode.x, at.y + kRow});
    link_row(*row.instruction, by_key || by_mouse, pressed);
  }

  /// Marks the row if it is linked; gives back the colour of its ground.
  Colour draw_ground(const device::SassInstruction& one, bool pointed, ImVec2 min, ImVec2 max) {
    const Link& link = ui_.book.link.current();
    const bool of_line = one.line != 0 && link.line == one.line,
               of_ptx = one.ptx_line != 0 && link.ptx_line == one.ptx_line;
    Colour ground = ui_.theme.s2;
    if (of_line || of_ptx) {
      ground = ui_.theme.accent_tint;
    } else if (pointed) {
      ground = ui_.theme.s3;
    }
    ui_.ink().fill(min, max, ground);
    if (of_ptx || (of_line && !link.ptx_line))
      ui_.ink().fill(min, {min.x + measure::kAccentBar, max.y}, ui_.theme.accent);
    return ground;
  }

  /// Gives back where the opcode, its modifiers included, ends.
  ImVec2 draw_text(ImVec2 at, const std::string& text) const {
    const Ink ink = ui_.ink();
    const std::string_view opcode = device::opcode_of(text);
    const auto opcode_end = static_cast<std::size_t>(opcode.data() + opcode.size() - text.data());
    ImVec2 end = at;
    bool in_comment = false;
    for (const Token& token : highlight(text, Dialect::sass, in_comment)) {
      const Type type{Face::mono, 13, colour_of(token.kind, ui_.theme)};
      const std::string_view piece =
          std::string_view(text).substr(token.from, token.to - token.from);
      ink.text_middle(at.x, at.y + kRow / 2, type, piece);
      at.x += ink.width(type, piece);
      if (token.from < opcode_end) end.x = at.x;
    }
    return end;
  }

  void draw_marks(const lab::SassRow& row, float top, const SassPaneColumns& columns) {
    float x = right_;
    for (auto column = columns.rbegin(); column != columns.rend(); ++column) {
      const std::string text = text_of(column->mark, row, counts_);
      if (column->mark == SassMark::ran) {
        const double share = most_ > 0 ? row.instruction->executed / most_ : 0;
        heat_strip(ui_, x, top, kRow, text.empty() ? 0 : share, text, stale_);
      } else {
        ui_.ink().text_middle(x, top + kRow / 2, {Face::mono, 12, ui_.theme.t2}, text,
                              Align::right);
      }
      x -= column->width;
    }
  }

  void link_row(const device::SassInstruction& one, bool pointed, bool pressed) {
    if (stale_ || (one.line == 0 && one.ptx_line == 0)) return;
    Link link;
    if (one.line != 0) link.line = one.line;
    if (one.ptx_line != 0) link.ptx_line = one.ptx_line;
    if (pointed) ui_.post([link](Book& book) { book.link.hover(link); });
    if (pressed) pin(ui_, link);
  }

  const Ui& ui_;
  const std::vector<lab::SassRow>& rows_;
  const double most_;
  const bool counts_, stale_;
  float right_ = 0, marks_ = 0;
};

bool stems_from(const lab::SassRow& row, const Link& link) {
  if (!row.instruction) return false;
  if (link.ptx_line) return row.instruction->ptx_line == *link.ptx_line;
  return link.line && row.instruction->line == *link.line;
}
}  // namespace

float SassPane::height(const Ui& ui, const lab::SourceExhibit* source, float width) {
  if (!source || !source->sass || source->sass->functions.empty()) return kEmpty;
  const std::size_t rows = lab::rows_of(*source->sass).size();
  return kHead + static_cast<float>(std::clamp(rows, kFewestRows, kMostRows)) * kRow +
         caption_height(ui, *source->sass, width);
}

void SassPane::follow_link(const Ui& ui, const std::vector<lab::SassRow>& rows, float height) {
  const Link& link = ui.book.link.current();
  if (link == followed_) return;
  followed_ = link;
  if (ImGui::IsWindowHovered() || ImGui::IsWindowFocused()) return;
  const float scroll = ImGui::GetScrollY();
  float first = -1;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!stems_from(rows[i], link)) continue;
    const float top = static_cast<float>(i) * kRow;
    if (top >= scroll && top + kRow <= scroll + height) return;
    if (first < 0) first = top;
  }
  if (first >= 0) ImGui::SetScrollY(std::max(0.0f, first - height / 3));
}

void SassPane::draw(const Ui& ui, ImVec2 corner, ImVec2 size, const lab::SourceExhibit* source,
                    bool stale) {
  if (!source || !source->sass || source->sass->functions.empty()) {
    const bool asked = source && source->sass;
    const std::string says = ui.tr(asked ? "sass.none" : "gui.editor.no-sass");
    const float room = size.x - 2 * measure::kPadding;
    ui.ink().text_middle(corner.x + measure::kPadding, corner.y + kEmpty / 2, ui.caption(),
                         ui.ink().fitted(ui.caption(), says, room));
    return;
  }
  const std::vector<lab::SassRow> rows = lab::rows_of(*source->sass);
  const SassPaneColumns columns = columns_for(ui, *source->sass, size.x);
  const float caption = caption_height(ui, *source->sass, size.x);
  const float body = std::max(kRow, size.y - kHead - caption);
  const bool scrolls = static_cast<float>(rows.size()) * kRow > body;
  const float right =
      corner.x + size.x - (scrolls ? ImGui::GetStyle().ScrollbarSize : 0) - measure::kGap;
  draw_head(ui, corner, right, columns);
  ImGui::SetCursorScreenPos({corner.x, corner.y + kHead});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  if (ImGui::BeginChild("sass lines", {size.x, body}, ImGuiChildFlags_None,
                        ImGuiWindowFlags_HorizontalScrollbar)) {
    follow_link(ui, rows, body);
    Rows(ui, *source->sass, rows, stale).draw(corner, right, columns);
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
  const float side = measure::kPadding;
  words({ui, {corner.x + side, corner.y + kHead + body + 6}, size.x - 2 * side, true},
        caption_of(ui, *source->sass), ui.caption_style());
}

}  // namespace warpbook::gui
