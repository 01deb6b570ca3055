// One paragraph, laid out once and drawn often: mixed faces, chips of code, links, formulae, wrapped lines. Only here does
// the window break text into lines.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "gui/draw/ink.hpp"

namespace warpbook::gui {

/// A piece of a paragraph with one look.
struct Run {
  enum class Kind : std::uint8_t { text, code, figure, parameter, link, veiled, formula };
  std::string text;
  Kind kind = Kind::text;
  bool strong = false, emphasis = false;
  std::string
      target;  ///< of a link: where it leads; of a parameter: its name; of a formula: its LaTeX
  Colour colour = 0;       ///< of plain text; 0: the style's
  bool displayed = false;  ///< a formula by itself: larger, and in the middle
  friend bool operator==(const Run&, const Run&) = default;
};
using Runs = std::vector<Run>;
Runs plain_runs(std::string text);
/// What stands between backticks is code.
Runs runs_with_code(std::string_view text);

struct ParagraphStyle {
  float size = 17, line = 26;
  Face face = Face::sans, strong_face = Face::bold;
  Colour colour = 0, strong_colour = 0;  ///< strong 0: as colour
  friend bool operator==(const ParagraphStyle&, const ParagraphStyle&) = default;
};

/// Colours of the runs inside a paragraph.
struct ParagraphColours {
  Colour chip, code, figure, parameter, parameter_chip, link, veil;
};

/// Bytes [from, to) of a paragraph's text that are marked, because they are selected or were found.
struct TextMark {
  std::size_t from = 0, to = 0;
  Colour fill = 0, outline = 0;  ///< outline 0: none
};

class Paragraph {
 public:
  Paragraph(Runs runs, const ParagraphStyle& style, float width, const Ink& ink);

  [[nodiscard]] float height() const { return lines_.back().top + lines_.back().height; }
  [[nodiscard]] float widest() const { return widest_; }
  [[nodiscard]] int lines() const { return static_cast<int>(lines_.size()); }
  /// The whole text, as it is copied.
  [[nodiscard]] const std::string& text() const { return text_; }
  /// Formulae: bytes of text() that are selected together.
  [[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> units() const;

  struct Place {
    std::size_t offset = 0;    ///< into text(): the character boundary nearest to the point
    const Run* run = nullptr;  ///< the run under the point; null beside the text
    int piece = -1;            ///< changes from one line's piece of a run to the next
  };
  /// The character and the run at a point, which is measured from the paragraph's corner.
  [[nodiscard]] Place at(ImVec2 point, const Ink& ink) const;
  /// The top of the line before the character at `offset`, measured from the corner; of two lines that meet there,
  /// the later.
  [[nodiscard]] ImVec2 place_of(std::size_t offset, const Ink& ink) const;
  /// The height of the line at `y`, measured from the corner; above and below the text, of the first and the last line. A
  /// formula can make its line higher.
  [[nodiscard]] float line_height_at(float y) const { return lines_[line_at(y)].height; }
  /// Draws with its corner at `corner`. `hot` is the run under the mouse.
  void draw(const Ink& ink, ImVec2 corner, const ParagraphColours& colours,
            std::span<const TextMark> marks = {}, const Run* hot = nullptr) const;
  /// A box of a run, one per line, measured from the corner.
  struct Box {
    ImVec2 min, max;
    const Run* run;
  };
  [[nodiscard]] std::vector<Box> boxes_of_links() const;

 private:
  struct Piece {
    std::size_t run = 0, from = 0, to = 0;  ///< bytes of text_
    int line = 0;
    float x = 0, width = 0;
    bool chip_opens = false, chip_closes = false;
    const FormulaLayout* formula = nullptr;  ///< of the window's formulae; null: text
    float em = 0;                            ///< of the formula
  };
  struct Line {
    float top = 0, height = 0, baseline = 0;  ///< baseline: from the top of the line
  };
  [[nodiscard]] Type type_of(const Run& run) const;
  /// How far into a piece the character at `offset` begins.
  [[nodiscard]] float x_in(const Piece& piece, std::size_t offset, const Ink& ink) const;
  class LineSetter;
  void lay_out(float width, const Ink& ink);
  /// Makes room in its line for a formula, and centres one that is displayed.
  void fit_formulae(float width);
  void draw_piece(const Ink& ink, const Piece& piece, ImVec2 corner,
                  const ParagraphColours& colours, const Run* hot) const;
  [[nodiscard]] std::size_t line_at(float y) const;
  [[nodiscard]] const Line& line_of(const Piece& piece) const {
    return lines_[static_cast<std::size_t>(piece.line)];
  }

  Runs runs_;
  ParagraphStyle style_;
  std::string text_;
  std::vector<std::size_t> starts_;  ///< of each run in text_
  std::vector<Piece> pieces_;
  std::vector<Line> lines_;
  float widest_ = 0;
};

/// Whether a line may end between two characters of plain text. Chinese breaks anywhere but before closing and after
/// opening punctuation; Latin breaks after spaces and hyphens.
bool may_break(char32_t before, char32_t after);
/// The bytes [first, second) around the character at `offset` that a double click selects: a word of letters, digits and
/// underscores; in Chinese, everything between two marks of punctuation; else a row of spaces, or one mark.
std::pair<std::size_t, std::size_t> word_at(std::string_view text, std::size_t offset);

/// Laid-out paragraphs by content, width and fonts. Paragraphs that were not asked for in the last 256 frames are dropped.
class ParagraphCache {
 public:
  const Paragraph& get(const Runs& runs, const ParagraphStyle& style, float width, const Ink& ink);
  void next_frame();
  void clear() { entries_.clear(); }

 private:
  struct Entry {
    Runs runs;
    ParagraphStyle style;
    float width;
    std::unique_ptr<Paragraph> paragraph;
    std::uint64_t used;
  };
  std::unordered_multimap<std::uint64_t, Entry> entries_;
  std::uint64_t frame_ = 0;
};

}  // namespace warpbook::gui
