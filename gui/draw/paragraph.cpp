#include "gui/draw/paragraph.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "lab/text/text_layout.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::gui {
namespace {

using lab::is_wide;

constexpr float kChipPadding = 5;
constexpr float kCodeShare = 0.91f;       // JetBrains Mono looks larger than Roboto of the same em
constexpr float kFormulaShare = 1.14f;    // and Latin Modern smaller
constexpr float kDisplayedShare = 1.24f;  // a formula by itself has room
constexpr float kFormulaLead = 2;         // above and below one that needs a higher line

bool is_chip(const Run& run) {
  return run.kind == Run::Kind::code || run.kind == Run::Kind::parameter ||
         run.kind == Run::Kind::veiled;
}

/// Code that is read as one: it goes to the next line rather than be parted.
constexpr std::size_t kWholeChip = 16;

bool is_whole(const Run& run) {
  return run.kind == Run::Kind::parameter ||
         (run.kind == Run::Kind::code && run.text.size() <= kWholeChip);
}

bool closes(char32_t c) {
  static constexpr std::u32string_view kClosing =
      U"!),.:;?]}%'\"’”…—、。〉》」』】〕〗！），．：；？］｝～·％";
  return kClosing.find(c) != std::u32string_view::npos;
}
bool opens(char32_t c) {
  static constexpr std::u32string_view kOpening = U"([{‘“〈《「『【〔〖（［｛";
  return kOpening.find(c) != std::u32string_view::npos;
}
}  // namespace

Runs plain_runs(std::string text) {
  Runs runs(1);
  runs[0].text = std::move(text);
  return runs;
}

char32_t next_code_point(std::string_view text, std::size_t& at) {
  std::string_view rest = text.substr(at);
  const char32_t point = lab::take_code_point(rest);
  at = text.size() - rest.size();
  return point;
}

namespace {
enum class Letters : std::uint8_t { space, word, wide, mark };
Letters letters_of(char32_t c) {
  if (c == U' ' || c == U'\n' || c == U'\t' || c == 0xA0 || c == 0x3000) return Letters::space;
  if (closes(c) || opens(c)) return Letters::mark;
  if (is_wide(c)) return Letters::wide;
  const bool ascii =
      (c >= U'0' && c <= U'9') || (c >= U'A' && c <= U'Z') || (c >= U'a' && c <= U'z') || c == U'_';
  return ascii || (c >= 0xC0 && c < 0x2000) ? Letters::word : Letters::mark;
}
}  // namespace

std::pair<std::size_t, std::size_t> word_at(std::string_view text, std::size_t offset) {
  std::size_t begin = 0, end = 0;
  Letters kind = Letters::mark;
  while (end < text.size()) {
    std::size_t next = end;
    const Letters here = letters_of(next_code_point(text, next));
    if (here != kind || kind == Letters::mark) {
      if (end > offset) break;
      begin = end;
      kind = here;
    }
    end = next;
  }
  return {begin, end};
}

bool may_break(char32_t before, char32_t after) {
  if (after == U' ') return false;
  if (before == U' ')
    return !closes(after) || after == U'…' || after == U'—' || after == U'\'' || after == U'"';
  if (closes(after) || opens(before)) return false;
  if (is_wide(before) || is_wide(after)) return true;
  return before == U'-' || before == U'—';
}

namespace {
constexpr char32_t kTimes = U'×';            // 3 × 4 stays on one line
constexpr char32_t kParagraphLetter = U'x';  // what a formula is to the text round it
constexpr float kCapital = 0.715f;           // the height of Roboto's capitals, in ems

/// Null where the run is no formula, or is drawn as text.
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

void Paragraph::lay_out(float width, const Ink& ink) {
  // The text is cut into words that a line may not part; a word may cross runs ("`n`,"). Words are
  // set one by one.
  struct Part {
    std::size_t run, from, to;
    float width;
    const FormulaLayout* formula = nullptr;
    float em = 0;
  };
  std::vector<Part> word;
  float word_width = 0, x = 0;
  int line = 0;
  const auto chip_edge = [&](const Part& part) {
    const Run& run = runs_[part.run];
    if (!is_chip(run)) return 0.0f;
    const std::size_t begin = starts_[part.run], end = begin + run.text.size();
    return (part.from == begin ? kChipPadding : 0) + (part.to == end ? kChipPadding : 0);
  };
  const auto place = [&](const Part& part) {
    const Run& run = runs_[part.run];
    const std::size_t begin = starts_[part.run], end = begin + run.text.size();
    if (!pieces_.empty()) {
      Piece& last = pieces_.back();
      if (last.run == part.run && last.line == line &&
          last.to == part.from) {  // the same run goes on
        last.to = part.to;
        last.width += part.width;
        last.chip_closes = is_chip(run) && part.to == end;
        x += part.width;
        return;
      }
    }
    pieces_.push_back({part.run, part.from, part.to, line, x, part.width,
                       is_chip(run) && part.from == begin, is_chip(run) && part.to == end,
                       part.formula, part.em});
    x += part.width;
  };
  const auto is_space = [&](const Part& part) {
    return text_.find_first_not_of(' ', part.from) >= part.to;
  };
  const auto flush = [&] {
    if (word.empty()) return;
    float trailing = 0;  // spaces at the end of a line take no room
    if (is_space(word.back()) && !is_chip(runs_[word.back().run])) trailing = word.back().width;
    if (x > 0 && x + word_width - trailing > width) {
      ++line;
      x = 0;
    }
    for (const Part& part : word) place(part);
    widest_ = std::max(widest_, x - trailing);
    word.clear();
    word_width = 0;
  };

  char32_t before = 0, earlier = 0;  // the character before, and the one before that
  bool chip_before = false;
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    const Type type = type_of(runs_[r]);
    ImFontBaked& font = *ink.fonts().face(type.face)->GetFontBaked(type.size);
    const bool chip = is_chip(runs_[r]);
    std::size_t at = 0;
    const std::string& run_text = runs_[r].text;
    if (const FormulaLayout* formula = layout_of(runs_[r], ink)) {
      if (before != 0 && may_break(before, kParagraphLetter)) flush();
      const float em = std::min(em_of(runs_[r], style_), width / formula->width);
      const float advance = formula->width * em;
      if (word_width + advance > width && word_width > 0) flush();
      word.push_back({r, starts_[r], starts_[r] + run_text.size(), advance, formula, em});
      word_width += advance;
      earlier = before;
      before = kParagraphLetter;
      chip_before = false;
      continue;
    }
    while (at < run_text.size()) {
      const std::size_t from = at;
      const char32_t point = next_code_point(run_text, at);
      if (point == U'\n') {
        flush();
        ++line;
        x = 0;
        before = earlier = 0;
        continue;
      }
      // Code breaks at its spaces alone, and a chip may stand apart from Chinese on either side.
      const bool inside_chip = chip && from > 0;
      bool breaks = before != 0 && (inside_chip ? before == U' ' && !is_whole(runs_[r])
                                                : may_break(before, point));
      if (before == U' ' && (earlier == kTimes || point == kTimes)) breaks = false;
      if (chip != chip_before && before != 0 && !inside_chip) {
        breaks = before == U' ' ||
                 (!closes(point) && !opens(before) && (is_wide(before) || is_wide(point)));
        if (before == U' ' && earlier == kTimes) breaks = false;
      }
      if (breaks) flush();
      float advance = font.GetCharAdvance(static_cast<ImWchar>(point));
      Part part{r, starts_[r] + from, starts_[r] + at, 0};
      advance += chip_edge(part);
      part.width = advance;
      // A word wider than the line is cut where it must be.
      if (word_width + advance > width && word_width > 0) flush();
      const bool space_starts = point == U' ' && !word.empty() && !is_space(word.back());
      if (!word.empty() && word.back().run == r && !space_starts) {
        word.back().to = part.to;
        word.back().width += advance;
      } else {
        word.push_back(part);
      }
      word_width += advance;
      earlier = before;
      before = point;
      chip_before = chip;
    }
  }
  flush();
  lines_.assign(static_cast<std::size_t>(line) + 1, {});
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
    while (at < piece.to) {
      std::size_t next = at;
      const float advance = font.GetCharAdvance(static_cast<ImWchar>(next_code_point(text_, next)));
      if (point.x < x + advance / 2) break;
      x += advance;
      at = next;
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
      // Of a formula there are no parts to mark.
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
                       (style.colour * 0x9E3779B9u) ^ (ink.fonts().chinese() ? 0x5555u : 0u);
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
