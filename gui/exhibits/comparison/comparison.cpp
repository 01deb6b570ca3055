// Two runs in relation: the code once with a strip of costs a side, and tables of what differs with signed per cent.
#include <algorithm>
#include <vector>

#include "gui/controls/highlight.hpp"
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

constexpr float kComparisonTitle = 30, kComparisonRow = 24, kBetween = 12, kNames = 120,
                kNumber = 34, kComparisonSign = 18;
constexpr std::size_t kChange = 3;  // the column behind A and B
constexpr std::uint64_t kTables = 1, kComparisonWords = 2,
                        kCosts = 3;  // under which the cache keeps them

const std::vector<lab::ComparisonTable>& tables_of(const Ui& ui, const Comparison& comparison) {
  return ui.cache.get<std::vector<lab::ComparisonTable>>(
      &comparison, kTables, [&] { return lab::tables_of(comparison, ui.book.strings()); });
}

/// Changed words that are code, as sources without costs.
const std::vector<ComparisonSource>& code_words(const Ui& ui, const Comparison& comparison) {
  return ui.cache.get<std::vector<ComparisonSource>>(&comparison, kComparisonWords, [&] {
    std::vector<ComparisonSource> made;
    for (const Comparison::Words& words : comparison.words) {
      if (words.code) made.push_back(lab::lines_of(words, ui.book.strings()));
    }
    return made;
  });
}

/// The title, and what its figures are, in `room`; a row high.
float set_title(const Frame& frame, float y, const std::string& title,
                const std::optional<device::EvidenceKind>& evidence, float room) {
  if (!frame.draw) return kComparisonTitle;
  const Ui& ui = frame.ui;
  const Ink ink = ui.ink();
  const float middle = y + kComparisonTitle / 2;
  const std::string says =
      evidence ? lab::evidence_name(ui.book.strings(), *evidence) : std::string();
  const float noted = evidence ? ink.width(ui.note(), says) + 10 : 0;
  const std::string shown = ink.fitted(ui.label_bold(), title, room - noted);
  ink.text_middle(frame.corner.x, middle, ui.label_bold(), shown);
  if (evidence) {
    ink.text_middle(frame.corner.x + ink.width(ui.label_bold(), shown) + 10, middle, ui.note(),
                    says);
  }
  return kComparisonTitle;
}

/// How wide the columns of values are: the same in all tables, so that one looks down them.
struct ComparisonColumns {
  float value = 0, change = 0;
};
ComparisonColumns columns_of(const Frame& frame, const std::vector<lab::ComparisonTable>& tables) {
  constexpr float kMostShare = 0.28f;
  const Ink ink = frame.ui.ink();
  ComparisonColumns columns;
  const auto take = [&](float& column, const std::string& cell) {
    column = std::max(column,
                      std::min(ink.width(frame.ui.figures(0), cell) + 1, frame.width * kMostShare));
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
  Grid(const Frame& frame, const lab::ComparisonTable& table, const ComparisonColumns& columns)
      : frame_(frame), table_(table), columns_(columns) {}

  float draw(float y) const {
    float below = 0;
    for (const auto& row : table_.rows) below += draw_row(row, y + below);
    return below;
  }
  /// What the columns are, on the line of the title above.
  void draw_head(float y) const {
    const Ui& ui = frame_.ui;
    for (std::size_t c = 1; c < table_.head.size(); ++c)
      ui.ink().text_middle(right_of(c), y + kComparisonTitle / 2, ui.note(), table_.head[c],
                           Align::right);
  }
  [[nodiscard]] float names_end() const { return right_of(1) - columns_.value - kGap; }

 private:
  static constexpr float kGap = 18;

  [[nodiscard]] float right_of(std::size_t column) const {
    const float right = frame_.corner.x + frame_.width;
    if (column == kChange) return right;
    const float b = right - (columns_.change > 0 ? columns_.change + kGap : 0);
    return column == kChange - 1 ? b : b - columns_.value - kGap;
  }

  float draw_row(const lab::ComparisonTable::Row& row, float y) const {
    const Ui& ui = frame_.ui;
    if (!frame_.draw || !ImGui::IsRectVisible({frame_.corner.x, y},
                                              {frame_.corner.x + frame_.width, y + kComparisonRow}))
      return kComparisonRow;
    const Ink ink = ui.ink();
    const float middle = y + kComparisonRow / 2;
    const bool bad = row.tone == lab::ComparisonTable::Tone::bad;
    ink.fill({frame_.corner.x, y}, {frame_.corner.x + frame_.width, y + 1}, ui.theme.line);
    Type name = ui.label();
    name.size = 14;
    const float names = names_end() - frame_.corner.x;
    ink.text_middle(frame_.corner.x, middle, name,
                    ink.fitted(name, row.cells[0], std::max(40.0f, names)));
    for (std::size_t c = 1; c < row.cells.size(); ++c) {
      Type type = ui.figures(bad ? ui.theme.bad : ui.theme.t1);
      if (c == kChange) type.face = Face::mono_bold;
      const float room = c == kChange ? columns_.change : columns_.value;
      ink.text_middle(right_of(c), middle, type, ink.fitted(type, row.cells[c], room),
                      Align::right);
    }
    return kComparisonRow;
  }

  const Frame& frame_;
  const lab::ComparisonTable& table_;
  const ComparisonColumns& columns_;
};

/// A name and what there is to say of it, in lines.
float set_said(const Frame& frame, float y, const lab::ComparisonTable::Row& row) {
  const Ui& ui = frame.ui;
  const bool bad = row.tone == lab::ComparisonTable::Tone::bad;
  const ParagraphStyle style{
      14, ui.leading(21), Face::sans, Face::bold, bad ? ui.theme.bad : ui.theme.t1, 0};
  const float names = std::min(kNames, frame.width / 4);
  const float height = std::max(
      kComparisonRow, words({ui, {frame.corner.x + names, y + 2}, frame.width - names, frame.draw},
                            row.cells[1], style) +
                          4);
  if (frame.draw) {
    const Type type{Face::mono, 13, ui.theme.t2};
    ui.ink().text_middle(frame.corner.x, y + kComparisonRow / 2, type,
                         ui.ink().fitted(type, row.cells[0], names - 10));
  }
  return height;
}

/// The first of several tables with columns says what these are.
float set_table(const Frame& frame, float y, const lab::ComparisonTable& table,
                const ComparisonColumns& columns, bool first) {
  const Ui& ui = frame.ui;
  const bool has_grid = !table.head.empty() && !table.rows.empty();
  const Grid grid(frame, table, columns);
  float below = set_title(frame, y, table.title, table.evidence,
                          has_grid && first ? grid.names_end() - frame.corner.x : frame.width);
  if (has_grid) {
    if (first && frame.draw) grid.draw_head(y);
    below += grid.draw(y + below);
  } else {
    for (const auto& row : table.rows) below += set_said(frame, y + below, row);
  }
  if (!table.note.empty()) {
    below += words({ui, {frame.corner.x, y + below + 4}, frame.width, frame.draw}, table.note,
                   ui.caption_style()) +
             4;
  }
  return below;
}

/// The changed lines of one source, A's and B's costs in strips of their own at the right.
class Code {
 public:
  Code(const Frame& frame, const ComparisonSource& source)
      : frame_(frame),
        ui_(frame.ui),
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
    for (std::size_t i = 0; i < source_.lines.size(); ++i) {
      if (frame_.draw &&
          ImGui::IsRectVisible({frame_.corner.x, y + below}, {right(), y + below + kComparisonRow}))
        draw_line(i, y + below);
      below += kComparisonRow;
    }
    for (const char* key :
         {source_.least ? "" : "comparison.not-least", source_.cut ? "comparison.cut" : ""}) {
      if (*key == 0) continue;
      below += words({ui_, {frame_.corner.x, y + below + 4}, frame_.width, frame_.draw},
                     ui_.tr(key), ui_.caption_style()) +
               8;
    }
    if (counted_) {
      if (frame_.draw) {
        ImGui::PushID(source_.of.id.c_str());
        heat_bar(ui_, {frame_.corner.x, y + below}, frame_.width, costs_, telling_);
        ImGui::PopID();
      }
      below += kHeatBar;
    }
    return below;
  }

 private:
  [[nodiscard]] float right() const { return frame_.corner.x + frame_.width; }

  float head(float y) const {
    const std::string title = ui_.tr(source_.of.title);
    set_title(frame_, y, title, {}, frame_.width - 2 * strip_);
    if (!frame_.draw) return kComparisonTitle;
    const Ink ink = ui_.ink();
    const float middle = y + kComparisonTitle / 2;
    if (counted_) {
      ink.text_middle(right() - strip_ - 4, middle, ui_.label_bold(), "A", Align::right);
      ink.text_middle(right(), middle, ui_.label_bold(), "B", Align::right);
    }
    if (changed_) {
      const float from = frame_.corner.x + ink.width(ui_.label_bold(), title) + 12;
      const std::string says =
          "−" + lab::grouped(source_.removed) + "  +" + lab::grouped(source_.added);
      ink.text_middle(from, middle, ui_.figures(ui_.theme.t3), says);
    }
    return kComparisonTitle;
  }

  void draw_line(std::size_t i, float y) {
    const ComparisonSource::Line& line = source_.lines[i];
    const Ink ink = ui_.ink();
    const float left = frame_.corner.x, middle = y + kComparisonRow / 2;
    const float code_end = right() - (counted_ ? 2 * strip_ : 0);
    if (line.kind == Kind::gap) {
      ink.text_middle(left + numbers_ + kComparisonSign, middle, ui_.note(),
                      lab::counted(ui_.book.strings(), "comparison.gap", line.a));
      in_comment_ = false;
      return;
    }
    const bool changed = line.kind != Kind::same;
    if (changed) {
      const Colour tint = ui_.theme.category[line.kind == Kind::removed ? 0 : 1];
      ink.fill({left - 8, y}, {code_end, y + kComparisonRow}, mix(ui_.theme.s2, tint, 0.16f));
      ink.fill({left - 8, y}, {left - 8 + measure::kAccentBar, y + kComparisonRow}, tint);
      ink.text_middle(left + numbers_ + 4, middle, {Face::mono_bold, 14, ui_.theme.t1},
                      line.kind == Kind::removed ? "−" : "+");
    }
    const Type number{Face::mono, 12, ui_.theme.t4};
    if (line.a != 0 && changed_)
      ink.text_middle(left + kNumber - 8, middle, number, std::to_string(line.a), Align::right);
    if (line.b != 0)
      ink.text_middle(left + numbers_ - 8, middle, number, std::to_string(line.b), Align::right);
    draw_code(line.text, left + numbers_ + kComparisonSign, code_end, middle);
    if (!counted_) return;
    for (const bool of_b : {false, true}) {
      const std::uint32_t at = lab::cost_line(source_, i, of_b);
      if (at != 0)
        heat_mark(ui_, right() - (of_b ? 0 : strip_), y, kComparisonRow, heat_.of_line(at), heat_,
                  false);
    }
  }

  void draw_code(std::string_view text, float x, float end, float middle) {
    const Ink ink = ui_.ink();
    ink.list()->PushClipRect({x, middle - kComparisonRow}, {end, middle + kComparisonRow}, true);
    for (const Token& token : highlight(text, dialect_, in_comment_)) {
      const Type type{Face::mono, 14, colour_of(token.kind, ui_.theme)};
      const std::string_view piece = text.substr(token.from, token.to - token.from);
      ink.text_middle(x, middle, type, piece);
      x += ink.width(type, piece);
    }
    ink.list()->PopClipRect();
  }

  const Frame& frame_;
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

float figure_of(const Frame& frame, const lab::ComparisonExhibit& comparison,
                const std::string& /*id*/) {
  float y = frame.corner.y;
  const auto begin = [&] { y += y > frame.corner.y ? kBetween : 0; };
  const auto set_sources = [&](const std::vector<ComparisonSource>& sources) {
    for (const ComparisonSource& source : sources) {
      begin();
      y += Code(frame, source).draw(y);
    }
  };
  set_sources(comparison.sources);
  const auto& tables = tables_of(frame.ui, comparison);
  const ComparisonColumns columns = columns_of(frame, tables);
  bool first = true;
  for (const lab::ComparisonTable& table : tables) {
    if (table.said) continue;
    begin();
    y += set_table(frame, y, table, columns, first);
    first = first && table.head.size() <= kChange;
  }
  set_sources(code_words(frame.ui, comparison));
  return std::max(y - frame.corner.y, 0.0f);
}

}  // namespace warpbook::gui
