// Two runs in relation: the code once with a strip of costs a side, and tables of what differs with signed per cent.
#include <algorithm>
#include <vector>

#include "gui/controls/code_rows.hpp"
#include "gui/controls/widgets.hpp"
#include "gui/exhibits/panels.hpp"
#include "gui/exhibits/tensor/heat_bar.hpp"
#include "lab/exhibits/comparison/comparison_summary.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::gui {
namespace {
using Comparison = lab::ComparisonExhibit;
using ComparisonSource = Comparison::Source;
using Kind = ComparisonSource::Line::Kind;

constexpr float kTitle = 30, kRow = 24, kBetween = 12, kNames = 120, kNumber = 34, kSign = 18,
                kCodeSize = 14;
constexpr std::size_t kChange = 3;  // the column behind A and B
constexpr std::uint64_t kTables = 1, kWords = 2,
                        kCosts = 3;  // under which the cache keeps them

const std::vector<lab::ComparisonTable>& tables_of(const Ui& ui, const Comparison& comparison) {
  return ui.cache.get<std::vector<lab::ComparisonTable>>(
      &comparison, kTables, [&] { return lab::tables_of(comparison, ui.book.strings()); });
}

/// Changed words that are code, as sources without costs.
const std::vector<ComparisonSource>& code_words(const Ui& ui, const Comparison& comparison) {
  return ui.cache.get<std::vector<ComparisonSource>>(&comparison, kWords, [&] {
    std::vector<ComparisonSource> made;
    for (const Comparison::Words& words : comparison.words) {
      if (words.code) made.push_back(lab::lines_of(words, ui.book.strings()));
    }
    return made;
  });
}

/// The title, and what its figures are, in `room`; a row high.
float set_title(const FigureArea& area, float y, const std::string& title,
                const std::optional<device::EvidenceKind>& evidence, float room) {
  if (!area.draw) return kTitle;
  const Ui& ui = area.ui;
  const Ink ink = ui.ink();
  const float middle = y + kTitle / 2;
  const std::string says =
      evidence ? lab::evidence_name(ui.book.strings(), *evidence) : std::string();
  const float noted = evidence ? ink.width(ui.note(), says) + 10 : 0;
  const std::string shown = ink.fitted(ui.label_bold(), title, room - noted);
  ink.text_middle(area.corner.x, middle, ui.label_bold(), shown);
  if (evidence) {
    ink.text_middle(area.corner.x + ink.width(ui.label_bold(), shown) + 10, middle, ui.note(),
                    says);
  }
  return kTitle;
}

/// How wide the columns of values are: the same in all tables, so that one looks down them.
struct ComparisonColumns {
  float value = 0, change = 0;
};
ComparisonColumns columns_of(const FigureArea& area,
                             const std::vector<lab::ComparisonTable>& tables) {
  constexpr float kMostShare = 0.28f;
  const Ink ink = area.ui.ink();
  ComparisonColumns columns;
  const auto take = [&](float& column, const std::string& cell) {
    column = std::max(column,
                      std::min(ink.width(area.ui.figures(0), cell) + 1, area.width * kMostShare));
  };
  for (const auto& table : tables) {
    if (table.head.size() > kChange) take(columns.change, table.head[kChange]);
    for (const auto& row : table.rows) {
      if (table.head.empty()) continue;
      for (std::size_t c = 1; c < kChange; ++c) take(columns.value, row.cells[c]);
      if (row.cells.size() > kChange) take(columns.change, row.cells[kChange]);
    }
  }
  return columns;
}

/// Names at the left, the runs' values and the change in columns that end at the right.
class Grid {
 public:
  Grid(const FigureArea& area, const lab::ComparisonTable& table, const ComparisonColumns& columns)
      : area_(area), table_(table), columns_(columns) {}

  float draw(float y) const {
    float below = 0;
    for (const auto& row : table_.rows) below += draw_row(row, y + below);
    return below;
  }
  /// What the columns are, on the line of the title above.
  void draw_head(float y) const {
    const Ui& ui = area_.ui;
    for (std::size_t c = 1; c < table_.head.size(); ++c)
      ui.ink().text_middle(right_of(c), y + kTitle / 2, ui.note(), table_.head[c], Align::right);
  }
  [[nodiscard]] float names_end() const { return right_of(1) - columns_.value - kGap; }

 private:
  static constexpr float kGap = 18;

  [[nodiscard]] float right_of(std::size_t column) const {
    const float right = area_.corner.x + area_.width;
    if (column == kChange) return right;
    const float b = right - (columns_.change > 0 ? columns_.change + kGap : 0);
    return column == kChange - 1 ? b : b - columns_.value - kGap;
  }

  float draw_row(const lab::ComparisonTable::Row& row, float y) const {
    const Ui& ui = area_.ui;
    if (!area_.draw ||
        !ImGui::IsRectVisible({area_.corner.x, y}, {area_.corner.x + area_.width, y + kRow}))
      return kRow;
    const Ink ink = ui.ink();
    const float middle = y + kRow / 2;
    const bool bad = row.tone == lab::ComparisonTable::Tone::bad;
    ink.fill({area_.corner.x, y}, {area_.corner.x + area_.width, y + 1}, ui.theme.line);
    Type name = ui.label();
    name.size = 14;
    const float names = names_end() - area_.corner.x;
    ink.label(area_.corner.x, middle, name, row.cells[0], std::max(40.0f, names));
    for (std::size_t c = 1; c < row.cells.size(); ++c) {
      Type type = ui.figures(bad ? ui.theme.bad : ui.theme.t1);
      if (c == kChange) type.face = Face::mono_bold;
      const float room = c == kChange ? columns_.change : columns_.value;
      ink.label(right_of(c), middle, type, row.cells[c], room, Align::right);
    }
    return kRow;
  }

  const FigureArea& area_;
  const lab::ComparisonTable& table_;
  const ComparisonColumns& columns_;
};

/// A name and what there is to say of it, in lines.
float set_said(const FigureArea& area, float y, const lab::ComparisonTable::Row& row) {
  const Ui& ui = area.ui;
  const bool bad = row.tone == lab::ComparisonTable::Tone::bad;
  const ParagraphStyle style{
      14, ui.leading(21), Face::sans, Face::bold, bad ? ui.theme.bad : ui.theme.t1, 0};
  const float names = std::min(kNames, area.width / 4);
  const float height =
      std::max(kRow, words({ui, {area.corner.x + names, y + 2}, area.width - names, area.draw},
                           row.cells[1], style) +
                         4);
  if (area.draw) {
    const Type type{Face::mono, 13, ui.theme.t2};
    ui.ink().label(area.corner.x, y + kRow / 2, type, row.cells[0], names - 10);
  }
  return height;
}

/// The first of several tables with columns says what these are.
float set_table(const FigureArea& area, float y, const lab::ComparisonTable& table,
                const ComparisonColumns& columns, bool first) {
  const Ui& ui = area.ui;
  const bool has_grid = !table.head.empty() && !table.rows.empty();
  const Grid grid(area, table, columns);
  float below = set_title(area, y, table.title, table.evidence,
                          has_grid && first ? grid.names_end() - area.corner.x : area.width);
  if (has_grid) {
    if (first && area.draw) grid.draw_head(y);
    below += grid.draw(y + below);
  } else {
    for (const auto& row : table.rows) below += set_said(area, y + below, row);
  }
  if (!table.note.empty()) {
    below += words({ui, {area.corner.x, y + below + 4}, area.width, area.draw}, table.note,
                   ui.caption_style()) +
             4;
  }
  return below;
}

/// The changed lines of one source, A's and B's costs in strips of their own at the right.
class Code {
 public:
  Code(const FigureArea& area, const ComparisonSource& source)
      : area_(area),
        ui_(area.ui),
        source_(source),
        costs_(ui_.cache.get<lab::SourceExhibit>(&source, kCosts,
                                                 [&] { return lab::joint_costs(source); })),
        telling_(lab::telling_heat(source)),
        heat_(heat_shown(ui_, costs_, telling_)),
        counted_(!costs_.lines.empty()),
        changed_(source.removed + source.added != 0),
        numbers_((changed_ ? 2 : 1) * kNumber),
        strip_(counted_ ? heat_width(ui_, costs_, telling_) + 6 : 0),
        dialect_(ui_.tr(source.of.title).ends_with(".cu") ? Dialect::cuda : Dialect::plain) {}

  float draw(float y) {
    float below = head(y);
    const std::size_t columns =
        code_columns(ui_, kCodeSize, code_end() - measure::kGap - code_left());
    for (std::size_t i = 0; i < source_.lines.size(); ++i) {
      const std::vector<CodeRow> rows = code_rows(source_.lines[i].text, columns);
      const float height = kRow * static_cast<float>(rows.size());
      if (area_.draw &&
          ImGui::IsRectVisible({area_.corner.x, y + below}, {right(), y + below + height}))
        draw_line(i, rows, y + below);
      below += height;
    }
    for (const char* key :
         {source_.least ? "" : "comparison.not-least", source_.cut ? "comparison.cut" : ""}) {
      if (*key == 0) continue;
      below += words({ui_, {area_.corner.x, y + below + 4}, area_.width, area_.draw}, ui_.tr(key),
                     ui_.caption_style()) +
               8;
    }
    if (counted_) {
      if (area_.draw) {
        ImGui::PushID(source_.of.id.c_str());
        heat_bar(ui_, {area_.corner.x, y + below}, area_.width, costs_, telling_);
        ImGui::PopID();
      }
      below += kHeatBar;
    }
    return below;
  }

 private:
  [[nodiscard]] float right() const { return area_.corner.x + area_.width; }
  [[nodiscard]] float code_left() const { return area_.corner.x + numbers_ + kSign; }
  [[nodiscard]] float code_end() const { return right() - (counted_ ? 2 * strip_ : 0); }

  float head(float y) const {
    const std::string title = ui_.tr(source_.of.title);
    set_title(area_, y, title, {}, area_.width - 2 * strip_);
    if (!area_.draw) return kTitle;
    const Ink ink = ui_.ink();
    const float middle = y + kTitle / 2;
    if (counted_) {
      ink.text_middle(right() - strip_ - 4, middle, ui_.label_bold(), "A", Align::right);
      ink.text_middle(right(), middle, ui_.label_bold(), "B", Align::right);
    }
    if (changed_) {
      const float from = area_.corner.x + ink.width(ui_.label_bold(), title) + 12;
      const std::string says =
          "−" + lab::grouped(source_.removed) + "  +" + lab::grouped(source_.added);
      ink.text_middle(from, middle, ui_.figures(ui_.theme.t3), says);
    }
    return kTitle;
  }

  void draw_line(std::size_t i, const std::vector<CodeRow>& rows, float y) {
    const ComparisonSource::Line& line = source_.lines[i];
    const Ink ink = ui_.ink();
    const float left = area_.corner.x, middle = y + kRow / 2,
                end = y + kRow * static_cast<float>(rows.size());
    if (line.kind == Kind::gap) {
      ink.text_middle(code_left(), middle, ui_.note(),
                      lab::counted(ui_.book.strings(), "comparison.gap", line.a));
      in_comment_ = false;
      return;
    }
    const bool changed = line.kind != Kind::same;
    if (changed) {
      const Colour tint = ui_.theme.category[line.kind == Kind::removed ? 0 : 1];
      ink.fill({left - 8, y}, {code_end(), end}, mix(ui_.theme.s2, tint, 0.16f));
      ink.fill({left - 8, y}, {left - 8 + measure::kAccentBar, end}, tint);
      ink.text_middle(left + numbers_ + 4, middle, {Face::mono_bold, 14, ui_.theme.t1},
                      line.kind == Kind::removed ? "−" : "+");
    }
    const Type number{Face::mono, 12, ui_.theme.t3};
    if (line.a != 0 && changed_)
      ink.text_middle(left + kNumber - 8, middle, number, std::to_string(line.a), Align::right);
    if (line.b != 0)
      ink.text_middle(left + numbers_ - 8, middle, number, std::to_string(line.b), Align::right);
    const auto tokens = highlight(line.text, dialect_, in_comment_);
    for (std::size_t row = 0; row < rows.size(); ++row)
      draw_code_row(ui_, code_left(), middle + kRow * static_cast<float>(row), kCodeSize, line.text,
                    tokens, rows[row]);
    if (!counted_) return;
    for (const bool of_b : {false, true}) {
      const std::uint32_t at = lab::cost_line(source_, i, of_b);
      if (at != 0)
        heat_mark(ui_, right() - (of_b ? 0 : strip_), y, kRow, heat_.of_line(at), heat_, false);
    }
  }

  const FigureArea& area_;
  const Ui& ui_;
  const ComparisonSource& source_;
  const lab::SourceExhibit& costs_;
  lab::Heat telling_;  // unless the reader chose another
  const lab::LineHeat& heat_;
  bool counted_, changed_;
  float numbers_;  // of lines: in A and in B, where these are not the same
  float strip_;
  Dialect dialect_;  // words are no code
  bool in_comment_ = false;
};
}  // namespace

float figure_of(const FigureArea& area, const lab::ComparisonExhibit& comparison,
                const std::string& /*id*/) {
  float y = area.corner.y;
  const auto begin = [&] { y += y > area.corner.y ? kBetween : 0; };
  const auto set_sources = [&](const std::vector<ComparisonSource>& sources) {
    for (const ComparisonSource& source : sources) {
      begin();
      y += Code(area, source).draw(y);
    }
  };
  set_sources(comparison.sources);
  const auto& tables = tables_of(area.ui, comparison);
  const ComparisonColumns columns = columns_of(area, tables);
  bool first = true;
  for (const lab::ComparisonTable& table : tables) {
    if (table.said) continue;
    begin();
    y += set_table(area, y, table, columns, first);
    first = first && table.head.size() <= kChange;
  }
  set_sources(code_words(area.ui, comparison));
  return std::max(y - area.corner.y, 0.0f);
}

}  // namespace warpbook::gui
