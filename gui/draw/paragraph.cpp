#include "gui/draw/paragraph.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "lab/text/text_layout.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::gui {
namespace {
constexpr float kChipPadding = 5;
constexpr float kCodeShare = 0.91f;       // JetBrains Mono looks larger than Roboto at the same em
constexpr float kFormulaShare = 1.14f;    // Latin Modern looks smaller
constexpr float kDisplayedShare = 1.24f;  // a formula on a line of its own has room to be larger
constexpr float kFormulaLead = 2;         // above and below a formula that makes its line higher

bool is_chip(const Run& run) {
  return run.kind == Run::Kind::code || run.kind == Run::Kind::parameter ||
         run.kind == Run::Kind::veiled;
}

/// Code of up to so many bytes goes to the next line as a whole rather than being split.
constexpr std::size_t kWholeChip = 16;

bool is_whole(const Run& run) {
  return run.kind == Run::Kind::parameter ||
         (run.kind == Run::Kind::code && run.text.size() <= kWholeChip);
}

bool closes(char32_t c) { return lab::is_closing(c) || c == U'\'' || c == U'"'; }
}  // namespace

Runs plain_runs(std::string text) {
  Runs runs(1);
  runs[0].text = std::move(text);
  return runs;
}

Runs runs_with_code(std::string_view text) {
  Runs runs;
  bool code = false;
  while (!text.empty()) {
    const std::size_t mark = text.find('`');
    // An opening mark that nothing closes is a character like others.
    const bool opens = !code && mark != text.npos && text.find('`', mark + 1) != text.npos;
    const std::size_t end = code || opens ? mark : text.size();
    if (end > 0) {
      Run run;
      run.text = std::string(text.substr(0, end));
      run.kind = code ? Run::Kind::code : Run::Kind::text;
      runs.push_back(std::move(run));
    }
    text.remove_prefix(std::min(text.size(), end + 1));
    code = !code;
  }
  return runs;
}

namespace {
enum class Letters : std::uint8_t { space, word, wide, mark };
Letters letters_of(char32_t c) {
  if (c == U' ' || c == U'\n' || c == U'\t' || c == 0xA0 || c == 0x3000) return Letters::space;
  if (closes(c) || lab::is_opening(c)) return Letters::mark;
  if (lab::is_wide(c)) return Letters::wide;
  const bool ascii =
      (c >= U'0' && c <= U'9') || (c >= U'A' && c <= U'Z') || (c >= U'a' && c <= U'z') || c == U'_';
  return ascii || (c >= 0xC0 && c < 0x2000) ? Letters::word : Letters::mark;
}
}  // namespace

std::pair<std::size_t, std::size_t> word_at(std::string_view text, std::size_t offset) {
  std::size_t begin = 0, end = 0;
  Letters kind = Letters::mark;
  for (std::string_view rest = text; !rest.empty(); end = text.size() - rest.size()) {
    const Letters here = letters_of(lab::take_code_point(rest));
    if (here != kind || kind == Letters::mark) {
      if (end > offset) break;
      begin = end;
      kind = here;
    }
  }
  return {begin, end};
}

bool may_break(char32_t before, char32_t after) {
  if (after == U' ') return false;
  if (before == U' ')
    return !closes(after) || after == U'…' || after == U'—' || after == U'\'' || after == U'"';
  if (closes(after) || lab::is_opening(before)) return false;
  if (lab::is_wide(before) || lab::is_wide(after)) return true;
  return before == U'-' || before == U'—';
}

namespace {
constexpr char32_t kTimes = U'×';   // 3 × 4 stays on one line
constexpr char32_t kLetter = U'x';  // lines break beside a formula as beside a letter
constexpr float kCapital = 0.715f;  // the height of Roboto's capitals, in ems

/// Null if the run is no formula, or one that is drawn as text.
const FormulaLayout* layout_of(const Run& run, const Ink& ink) {
  if (run.kind != Run::Kind::formula) return nullptr;
  return ink.fonts().formulae().find(run.target, run.displayed);
}
float em_of(const Run& run, const ParagraphStyle& style) {
  return style.size * (run.displayed ? kDisplayedShare : kFormulaShare);
}
}  // namespace

Paragraph::Paragraph(Runs runs, const ParagraphStyle& style, float width, const Ink& ink)
    : runs_(std::move(runs)), style_(style) {
  for (const Run& run : runs_) {
    starts_.push_back(text_.size());
    text_ += run.text;
  }
  lay_out(width, ink);
}

Type Paragraph::type_of(const Run& run) const {
  switch (run.kind) {
    case Run::Kind::code:
    case Run::Kind::parameter:
    case Run::Kind::veiled:
      return {Face::mono, std::round(style_.size * kCodeShare), style_.colour};
    case Run::Kind::figure:
      return {Face::mono_bold, std::round(style_.size * kCodeShare), style_.colour};
    case Run::Kind::text:
    case Run::Kind::formula:
    case Run::Kind::link: break;
  }
  const Colour colour = run.colour                           ? run.colour
                        : run.strong && style_.strong_colour ? style_.strong_colour
                                                             : style_.colour;
  const Face plain = run.emphasis ? Face::slanted : style_.face;
  return {run.strong ? style_.strong_face : plain, style_.size, colour};
}

// ---- Breaking lines -----------------------------------------------------------------------------

/// Sets the runs of a paragraph line by line. Characters gather in a word, which no line may part; a word may cross runs
/// ("`n`,"). Wherever a line may end, the word is placed: on the line if it fits, else on the next one.
///
/// Whether a line may end between a character and the next one:
///
/// | where                       | a line may end there                                                        |
/// |-----------------------------|-----------------------------------------------------------------------------|
/// | at the paragraph's start    | no                                                                          |
/// | at the edge of a chip       | after a space that does not follow ×; else beside a Chinese character, but  |
/// |                             | not before closing and not after opening punctuation                        |
/// | beside × and its spaces     | no: 3 × 4 stays together                                                    |
/// | inside a chip               | after a space, unless the chip is short enough to stay whole                |
/// | anywhere else               | as may_break() says                                                         |
///
/// A chip is a run with a ground of its own: code, a parameter, a figure that a question covers.
class Paragraph::LineSetter {
 public:
  LineSetter(Paragraph& paragraph, float width, const Ink& ink)
      : paragraph_(paragraph), width_(width), ink_(ink) {}

  /// Gives back how many lines there are.
  std::size_t set() {
    for (std::size_t r = 0; r < paragraph_.runs_.size(); ++r) {
      if (const FormulaLayout* formula = layout_of(paragraph_.runs_[r], ink_)) {
        set_formula(r, *formula);
      } else {
        set_text(r);
      }
    }
    place_word();
    return static_cast<std::size_t>(line_) + 1;
  }

 private:
  /// Characters of one run that follow each other in a word, or a formula.
  struct Part {
    std::size_t run, from, to;  ///< bytes [from, to) of the paragraph's text
    float width;
    const FormulaLayout* formula = nullptr;
    float em = 0;
  };

  [[nodiscard]] std::size_t begin_of(std::size_t run) const { return paragraph_.starts_[run]; }
  [[nodiscard]] std::size_t end_of(std::size_t run) const {
    return begin_of(run) + paragraph_.runs_[run].text.size();
  }

  void set_text(std::size_t r) {
    const Run& run = paragraph_.runs_[r];
    const Type type = paragraph_.type_of(run);
    ImFontBaked& font = *ink_.fonts().face(type.face)->GetFontBaked(type.size);
    const bool chip = is_chip(run);
    for (std::string_view rest = run.text; !rest.empty();) {
      const std::size_t from = end_of(r) - rest.size();
      const char32_t point = lab::take_code_point(rest);
      if (point == U'\n') {
        end_line();
        continue;
      }
      if (line_may_end(point, run, from > begin_of(r))) place_word();
      Part part{r, from, end_of(r) - rest.size(), font.GetCharAdvance(static_cast<ImWchar>(point))};
      part.width += chip_padding(part);
      add(part, point);
      remember(point, chip);
    }
  }

  void set_formula(std::size_t r, const FormulaLayout& formula) {
    if (before_ != 0 && may_break(before_, kLetter)) place_word();
    const float em =
        std::min(em_of(paragraph_.runs_[r], paragraph_.style_), width_ / formula.width);
    const Part part{r, begin_of(r), end_of(r), formula.width * em, &formula, em};
    if (word_width_ + part.width > width_ && word_width_ > 0) place_word();
    word_.push_back(part);
    word_width_ += part.width;
    remember(kLetter, false);
  }

  /// The table above. `started`: `next` is not the first character of its run.
  [[nodiscard]] bool line_may_end(char32_t next, const Run& run, bool started) const {
    if (before_ == 0) return false;
    const bool chip = is_chip(run), inside_chip = chip && started, after_space = before_ == U' ';
    if (chip != chip_before_ && !inside_chip) {
      if (after_space) return earlier_ != kTimes;
      return !closes(next) && !lab::is_opening(before_) &&
             (lab::is_wide(before_) || lab::is_wide(next));
    }
    if (after_space && (earlier_ == kTimes || next == kTimes)) return false;
    return inside_chip ? after_space && !is_whole(run) : may_break(before_, next);
  }

  /// The room that a chip takes before its first and after its last character.
  [[nodiscard]] float chip_padding(const Part& part) const {
    if (!is_chip(paragraph_.runs_[part.run])) return 0;
    return (part.from == begin_of(part.run) ? kChipPadding : 0) +
           (part.to == end_of(part.run) ? kChipPadding : 0);
  }
  [[nodiscard]] bool is_space(const Part& part) const {
    return paragraph_.text_.find_first_not_of(' ', part.from) >= part.to;
  }

  /// Adds a character to the word. A word wider than the line is cut where the line ends.
  void add(const Part& part, char32_t point) {
    if (word_width_ + part.width > width_ && word_width_ > 0) place_word();
    const bool space_starts = point == U' ' && !word_.empty() && !is_space(word_.back());
    if (!word_.empty() && word_.back().run == part.run && !space_starts) {
      word_.back().to = part.to;
      word_.back().width += part.width;
    } else {
      word_.push_back(part);
    }
    word_width_ += part.width;
  }

  void remember(char32_t point, bool chip) {
    earlier_ = before_;
    before_ = point;
    chip_before_ = chip;
  }

  void end_line() {
    place_word();
    ++line_;
    x_ = 0;
    before_ = earlier_ = 0;
  }

  /// Places the word on this line, or on the next one if it does not fit.
  void place_word() {
    if (word_.empty()) return;
    const Part& last = word_.back();
    // Spaces at the end of a line take no room.
    const bool ends_in_spaces = is_space(last) && !is_chip(paragraph_.runs_[last.run]);
    const float trailing = ends_in_spaces ? last.width : 0;
    if (x_ > 0 && x_ + word_width_ - trailing > width_) {
      ++line_;
      x_ = 0;
    }
    for (const Part& part : word_) place(part);
    paragraph_.widest_ = std::max(paragraph_.widest_, x_ - trailing);
    word_.clear();
    word_width_ = 0;
  }

  /// Adds a part to the line: to the last piece if that is of the same run, else as a new piece.
  void place(const Part& part) {
    const bool chip = is_chip(paragraph_.runs_[part.run]),
               closes_chip = chip && part.to == end_of(part.run);
    Piece* last = paragraph_.pieces_.empty() ? nullptr : &paragraph_.pieces_.back();
    if (last && last->run == part.run && last->line == line_ && last->to == part.from) {
      last->to = part.to;
      last->width += part.width;
      last->chip_closes = closes_chip;
    } else {
      paragraph_.pieces_.push_back({part.run, part.from, part.to, line_, x_, part.width,
                                    chip && part.from == begin_of(part.run), closes_chip,
                                    part.formula, part.em});
    }
    x_ += part.width;
  }

  Paragraph& paragraph_;
  float width_;
  const Ink& ink_;
  std::vector<Part> word_;  ///< not placed yet
  float word_width_ = 0;
  int line_ = 0;
  float x_ = 0;  ///< where the next part goes on the line
  char32_t before_ = 0,
           earlier_ = 0;      ///< the last character and the one before it; 0: none on this line
  bool chip_before_ = false;  ///< the last character was in a chip
};

void Paragraph::lay_out(float width, const Ink& ink) {
  lines_.assign(LineSetter(*this, width, ink).set(), {});
  fit_formulae(width);
}

void Paragraph::fit_formulae(float width) {
  const float baseline = style_.line / 2 + style_.size * kCapital / 2;
  std::vector<float> above(lines_.size(), baseline), below(lines_.size(), style_.line - baseline);
  for (Piece& piece : pieces_) {
    if (!piece.formula) continue;
    const auto line = static_cast<std::size_t>(piece.line);
    above[line] = std::max(above[line], piece.formula->ascent * piece.em + kFormulaLead);
    below[line] = std::max(below[line], piece.formula->descent * piece.em + kFormulaLead);
    if (runs_[piece.run].displayed) piece.x = std::floor((width - piece.width) / 2);
    widest_ = std::max(widest_, piece.x + piece.width);
  }
  float top = 0;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    lines_[i] = {top, std::ceil(above[i] + below[i]), above[i]};
    if (above[i] + below[i] == style_.line) lines_[i].height = style_.line;
    top += lines_[i].height;
  }
}

std::size_t Paragraph::line_at(float y) const {
  std::size_t line = 0;
  while (line + 1 < lines_.size() && y >= lines_[line + 1].top) ++line;
  return line;
}

std::vector<std::pair<std::size_t, std::size_t>> Paragraph::units() const {
  std::vector<std::pair<std::size_t, std::size_t>> units;
  for (const Piece& piece : pieces_) {
    if (piece.formula) units.emplace_back(piece.from, piece.to);
  }
  return units;
}

Paragraph::Place Paragraph::at(ImVec2 point, const Ink& ink) const {
  Place place;
  if (point.y < 0) return place;
  place.offset = text_.size();
  if (point.y >= height()) return place;
  const int line = static_cast<int>(line_at(point.y));
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    const Piece& piece = pieces_[p];
    if (piece.line < line) continue;
    if (piece.line > line) {
      place.offset = std::min(place.offset, piece.from);
      break;
    }
    if (point.x < piece.x) {
      place.offset = piece.from;
      return place;
    }
    if (point.x >= piece.x + piece.width) {
      place.offset = piece.to;
      continue;
    }
    const Run& run = runs_[piece.run];
    if (piece.formula) {
      const bool first_half = point.x < piece.x + piece.width / 2;
      return {first_half ? piece.from : piece.to, &run, static_cast<int>(p)};
    }
    const Type type = type_of(run);
    ImFontBaked& font = *ink.fonts().face(type.face)->GetFontBaked(type.size);
    float x = piece.x + (piece.chip_opens ? kChipPadding : 0);
    std::size_t at = piece.from;
    const std::string_view text = std::string_view(text_).substr(0, piece.to);
    for (std::string_view rest = text.substr(at); !rest.empty(); at = text.size() - rest.size()) {
      const float advance = font.GetCharAdvance(static_cast<ImWchar>(lab::take_code_point(rest)));
      if (point.x < x + advance / 2) break;
      x += advance;
    }
    return {at, &run, static_cast<int>(p)};
  }
  return place;
}

float Paragraph::x_in(const Piece& piece, std::size_t offset, const Ink& ink) const {
  if (offset <= piece.from) return 0;
  if (offset >= piece.to) return piece.width;
  if (piece.formula) return 0;
  return (piece.chip_opens ? kChipPadding : 0) +
         ink.width(type_of(runs_[piece.run]),
                   std::string_view(text_).substr(piece.from, offset - piece.from));
}

ImVec2 Paragraph::place_of(std::size_t offset, const Ink& ink) const {
  ImVec2 place{0, 0};
  for (const Piece& piece : pieces_) {
    if (piece.from > offset) break;
    place = {piece.x + x_in(piece, offset, ink), line_of(piece).top};
    if (offset < piece.to) break;
  }
  return place;
}

void Paragraph::draw(const Ink& ink, ImVec2 corner, const ParagraphColours& colours,
                     std::span<const TextMark> marks, const Run* hot) const {
  const ImVec2 clip_min = ink.list()->GetClipRectMin(), clip_max = ink.list()->GetClipRectMax();
  for (const Piece& piece : pieces_) {
    const Run& run = runs_[piece.run];
    const Line& line = line_of(piece);
    const float top = corner.y + line.top;
    if (top > clip_max.y || top + line.height < clip_min.y) continue;
    const float baseline = std::round(top + line.baseline);
    const float left = corner.x + piece.x, right = left + piece.width;
    if (is_chip(run)) {
      const float middle = baseline - style_.size * 0.33f,
                  half = std::min(style_.line / 2 - 1, style_.size * 0.72f);
      const Colour chip = run.kind == Run::Kind::parameter ? colours.parameter_chip
                          : run.kind == Run::Kind::veiled  ? colours.veil
                                                           : colours.chip;
      ink.fill({left + 1, middle - half}, {right - 1, middle + half}, chip, measure::kCellRadius);
      if (run.kind == Run::Kind::veiled) {
        ink.hatch({left + 1, middle - half}, {right - 1, middle + half}, colours.chip, 5);
        continue;
      }
    }
    for (const TextMark& mark : marks) {
      if (mark.from >= piece.to || mark.to <= piece.from) continue;
      // A formula is marked as a whole.
      const float end = piece.formula ? piece.width : x_in(piece, mark.to, ink);
      const ImVec2 min{left + x_in(piece, mark.from, ink), top}, max{left + end, top + line.height};
      ink.fill(min, max, mark.fill);
      if (mark.outline) ink.outline(min, max, mark.outline, 0, 1.5f);
    }
    draw_piece(ink, piece, {left, baseline}, colours, hot);
  }
}

void Paragraph::draw_piece(const Ink& ink, const Piece& piece, ImVec2 origin,
                           const ParagraphColours& colours, const Run* hot) const {
  const Run& run = runs_[piece.run];
  Type type = type_of(run);
  if (piece.formula) {
    ink.fonts().formulae().draw(*ink.list(), *piece.formula, origin, piece.em, type.colour);
    return;
  }
  switch (run.kind) {
    case Run::Kind::code: type.colour = colours.code; break;
    case Run::Kind::figure: type.colour = colours.figure; break;
    case Run::Kind::parameter: type.colour = colours.parameter; break;
    case Run::Kind::link: type.colour = colours.link; break;
    case Run::Kind::text:
    case Run::Kind::formula:
    case Run::Kind::veiled: break;
  }
  ink.text(origin.x + (piece.chip_opens ? kChipPadding : 0), origin.y, type,
           std::string_view(text_).substr(piece.from, piece.to - piece.from));
  if (run.kind == Run::Kind::link || (hot == &run && run.kind == Run::Kind::parameter)) {
    ink.list()->AddLine({origin.x, origin.y + 3}, {origin.x + piece.width, origin.y + 3},
                        hot == &run ? type.colour : fade(type.colour, 0.45f), 1);
  }
}

std::vector<Paragraph::Box> Paragraph::boxes_of_links() const {
  std::vector<Box> boxes;
  for (const Piece& piece : pieces_) {
    const Run& run = runs_[piece.run];
    if (run.kind != Run::Kind::link && run.kind != Run::Kind::parameter) continue;
    const Line& line = line_of(piece);
    boxes.push_back({{piece.x, line.top}, {piece.x + piece.width, line.top + line.height}, &run});
  }
  return boxes;
}

const Paragraph& ParagraphCache::get(const Runs& runs, const ParagraphStyle& style, float width,
                                     const Ink& ink) {
  std::uint64_t hash = std::hash<float>{}(width) ^ (std::hash<float>{}(style.size) << 1) ^
                       (style.colour * 0x9E3779B9u) ^ (ink.fonts().han_marks() ? 0x5555u : 0u);
  for (const Run& run : runs) {
    hash = (hash ^ std::hash<std::string>{}(run.text) ^ static_cast<std::uint64_t>(run.kind)) *
           0x100000001B3ull;
  }
  const auto [first, last] = entries_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    Entry& entry = it->second;
    if (entry.width == width && entry.style == style && entry.runs == runs) {
      entry.used = frame_;
      return *entry.paragraph;
    }
  }
  auto made = std::make_unique<Paragraph>(runs, style, width, ink);
  const auto it = entries_.emplace(hash, Entry{runs, style, width, std::move(made), frame_});
  return *it->second.paragraph;
}

void ParagraphCache::next_frame() {
  ++frame_;
  if (frame_ % 256 != 0) return;
  std::erase_if(entries_, [&](const auto& entry) { return entry.second.used + 256 < frame_; });
}

}  // namespace warpbook::gui
