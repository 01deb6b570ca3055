#include "gui/draw/ink.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lab/markup/drawing.hpp"

namespace warpbook::gui {
namespace {
constexpr float kPi = std::numbers::pi_v<float>;

/// How many bytes of `text` its first line takes: up to the last place that fits and where a line may break, which is
/// before a space or between Chinese characters. 0: it has no such place.
template <class Fits>
std::size_t first_line_of(std::string_view text, const Fits& fits) {
  std::size_t taken = 0;
  for (std::size_t at = 1; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const auto before = static_cast<unsigned char>(text[at - 1]);
    const bool chinese = byte >= 0xe4 && byte <= 0xe9 && before >= 0x80;
    if (text[at] != ' ' && !chinese) continue;
    if (!fits(text.substr(0, at))) break;
    taken = at;
  }
  return taken;
}

ImFontBaked& baked(const Fonts& fonts, const Type& type) {
  return *fonts.face(type.face)->GetFontBaked(type.size);
}
}  // namespace

float onto_pixel(float place) {
  const float scale = ImGui::GetIO().DisplayFramebufferScale.y;
  return scale == std::round(scale) ? std::round(place) : std::round(place * scale) / scale;
}

float Ink::width(const Type& type, std::string_view text) const {
  return fonts_->face(type.face)
      ->CalcTextSizeA(type.size, FLT_MAX, 0, text.data(), text.data() + text.size())
      .x;
}

float Ink::ascent(const Type& type) const { return baked(*fonts_, type).Ascent; }

void Ink::text(float x, float baseline, const Type& type, std::string_view text,
               Align align) const {
  if (text.empty()) return;
  if (fonts_->watch().drawn) fonts_->watch().drawn(text);
  if (align != Align::left) x -= width(type, text) * (align == Align::right ? 1.0f : 0.5f);
  // ImGui puts text at whole points, which lie between pixels where a point is one and a half: so it is moved onto them.
  const ImVec2 sharp{onto_pixel(x), onto_pixel(baseline - ascent(type))},
      whole{std::floor(sharp.x), std::floor(sharp.y)};
  const int first = list_->VtxBuffer.Size;
  list_->AddText(fonts_->face(type.face), type.size, whole, type.colour, text.data(),
                 text.data() + text.size());
  if (sharp.x == whole.x && sharp.y == whole.y) return;
  for (int i = first; i < list_->VtxBuffer.Size; ++i) {
    list_->VtxBuffer[i].pos.x += sharp.x - whole.x;
    list_->VtxBuffer[i].pos.y += sharp.y - whole.y;
  }
}

std::string Ink::fitted(const Type& type, std::string_view text, float room) const {
  if (fonts_->watch().cut && width(type, text) > room) fonts_->watch().cut(text);
  return lab::fitted(text, static_cast<double>(room),
                     [&](std::string_view part) { return static_cast<double>(width(type, part)); });
}

float Ink::label(float x, float middle, const Type& type, std::string_view text, float room,
                 Align align) const {
  constexpr float kLeastSize = 11, kLeading = 1.1f;
  const float wide = width(type, text);
  if (wide <= room) {
    text_middle(x, middle, type, text, align);
    return wide;
  }
  Type smaller = type;
  // Whole sizes only: each size that is drawn keeps its glyphs.
  smaller.size = std::min(type.size, std::max(kLeastSize, std::floor(type.size * room / wide)));
  const float now = width(smaller, text);
  if (now <= room) {
    text_middle(x, middle, smaller, text, align);
    return now;
  }
  const std::size_t first =
      first_line_of(text, [&](std::string_view part) { return width(smaller, part) <= room; });
  std::string_view rest = text.substr(first);
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  const std::string above = first == 0 ? "" : std::string(text.substr(0, first));
  const std::string below =
      width(smaller, rest) <= room ? std::string(rest) : cut_label(smaller, text, rest, room);
  const float half = above.empty() ? 0 : smaller.size * kLeading / 2;
  text_middle(x, middle - half, smaller, above, align);
  text_middle(x, middle + half, smaller, below, align);
  return std::max(width(smaller, above), width(smaller, below));
}

std::string Ink::cut_label(const Type& type, std::string_view whole, std::string_view rest,
                           float room) const {
  if (fonts_->watch().cut) fonts_->watch().cut(whole);
  return lab::fitted(rest, static_cast<double>(room),
                     [&](std::string_view part) { return static_cast<double>(width(type, part)); });
}

void Ink::outline(ImVec2 min, ImVec2 max, Colour colour, float radius, float thickness) const {
  const float half = thickness / 2;
  list_->AddRect({min.x + half, min.y + half}, {max.x - half, max.y - half}, colour, radius,
                 thickness);
}

void Ink::dashed_outline(ImVec2 min, ImVec2 max, Colour colour, float radius,
                         float thickness) const {
  list_->PathRect({min.x + 0.5f, min.y + 0.5f}, {max.x - 0.5f, max.y - 0.5f}, radius);
  const ImVector<ImVec2> path = list_->_Path;
  list_->PathClear();
  // Walk along the closed path: three pixels drawn, three left out.
  float travelled = 0;
  for (int i = 0; i < path.Size; ++i) {
    ImVec2 from = path[i];
    const ImVec2 to = path[(i + 1) % path.Size];
    float left = std::hypot(to.x - from.x, to.y - from.y);
    const ImVec2 unit{left > 0 ? (to.x - from.x) / left : 0, left > 0 ? (to.y - from.y) / left : 0};
    while (left > 0.01f) {
      const float into = std::fmod(travelled, 6.0f);
      const float step = std::min(left, into < 3 ? 3 - into : 6 - into);
      const ImVec2 next{from.x + unit.x * step, from.y + unit.y * step};
      if (into < 3) list_->AddLine(from, next, colour, thickness);
      from = next;
      left -= step;
      travelled += std::max(step, 0.01f);
    }
  }
}

void Ink::hatch(ImVec2 min, ImVec2 max, Colour colour, float step) const {
  list_->PushClipRect(min, max, true);
  const float height = max.y - min.y;
  float x = min.x - height;
  while (x < max.x) {
    list_->AddLine({x, max.y}, {x + height, min.y}, colour, 1);
    x += step;
  }
  list_->PopClipRect();
}

void Ink::ring(ImVec2 middle, float radius, Colour track, Colour colour, float phase,
               float share) const {
  list_->AddCircle(middle, radius, track, 0, 2);
  const float from = (phase - 0.25f) * 2 * kPi;
  list_->PathArcTo(middle, radius, from, from + share * 2 * kPi);
  list_->PathStroke(colour, 2);
}

namespace {
/// Draws icons in a box of 16 by 16 units around a middle.
struct Pencil {
  ImDrawList* list;
  ImVec2 middle;
  float unit;
  Colour colour;
  [[nodiscard]] ImVec2 at(float x, float y) const {
    return {middle.x + (x - 8) * unit, middle.y + (y - 8) * unit};
  }
  void line(std::initializer_list<ImVec2> points, float thickness = 1.6f,
            bool closed = false) const {
    for (const ImVec2& p : points) list->PathLineTo(at(p.x, p.y));
    list->PathStroke(colour, thickness * unit, closed ? ImDrawFlags_Closed : 0);
  }
  void circle(float x, float y, float r, float thickness = 1.5f) const {
    list->AddCircle(at(x, y), r * unit, colour, 0, thickness * unit);
  }
  void disc(float x, float y, float r) const { list->AddCircleFilled(at(x, y), r * unit, colour); }
  void box(float x0, float y0, float x1, float y1, float radius) const {
    list->AddRect(at(x0, y0), at(x1, y1), colour, radius * unit, 1.4f * unit);
  }
  void arc(float x, float y, float r, float from, float to, float thickness = 1.5f) const {
    list->PathArcTo(at(x, y), r * unit, from * kPi, to * kPi);
    list->PathStroke(colour, thickness * unit);
  }
};

void draw_logo(const Pencil& pen, Colour weft) {
  // Threads of a warp, with one weft woven through.
  for (int i = 0; i < 4; ++i) {
    const float x = 2.5f + static_cast<float>(i) * 3.7f, drop = i % 2 == 0 ? 0.0f : 1.5f;
    pen.line({{x, 1 + drop}, {x, 13.5f + drop}}, 1.5f);
  }
  const Pencil accent{pen.list, pen.middle, pen.unit, weft};
  accent.list->PathLineTo(accent.at(-0.5f, 9));
  accent.list->PathBezierCubicCurveTo(accent.at(4, 4), accent.at(6, 13), accent.at(10, 8));
  accent.list->PathBezierQuadraticCurveTo(accent.at(13, 4.5f), accent.at(16.5f, 7.5f));
  accent.list->PathStroke(weft, 1.7f * pen.unit);
}
}  // namespace

void Ink::icon(Icon icon, ImVec2 middle, Colour colour, float size, Colour hole) const {
  const Pencil pen{list_, middle, size / 16, colour};
  const Pencil inner{list_, middle, size / 16, hole};
  switch (icon) {
    case Icon::check:
      if (hole) {
        pen.disc(8, 8, 7.5f);
        inner.line({{4.7f, 8.2f}, {7.1f, 10.6f}, {11.3f, 5.8f}});
      } else {
        pen.line({{3, 8.4f}, {6.4f, 11.8f}, {13, 4.8f}}, 1.8f);
      }
      break;
    case Icon::cross:
      if (hole) {
        pen.disc(8, 8, 7.5f);
        inner.line({{5.5f, 5.5f}, {10.5f, 10.5f}});
        inner.line({{10.5f, 5.5f}, {5.5f, 10.5f}});
      } else {
        pen.line({{4, 4}, {12, 12}}, 1.8f);
        pen.line({{12, 4}, {4, 12}}, 1.8f);
      }
      break;
    case Icon::warning:
      list_->AddTriangleFilled(pen.at(8, 1), pen.at(15.5f, 14.5f), pen.at(0.5f, 14.5f), colour);
      inner.line({{8, 5.5f}, {8, 9.8f}}, 1.7f);
      inner.disc(8, 12.2f, 1);
      break;
    case Icon::question:
      pen.disc(8, 8, 7.5f);
      inner.list->PathArcTo(inner.at(8, 6.3f), 2.2f * inner.unit, 0.95f * kPi, 2.25f * kPi);
      inner.list->PathLineTo(inner.at(8, 9.4f));
      inner.list->PathStroke(hole, 1.6f * inner.unit);
      inner.disc(8, 11.7f, 1);
      break;
    case Icon::waiting: pen.circle(8, 8, 6.5f); break;
    case Icon::play:
      list_->AddTriangleFilled(pen.at(4.5f, 3), pen.at(13, 8), pen.at(4.5f, 13), colour);
      break;
    case Icon::stop: list_->AddRectFilled(pen.at(4, 4), pen.at(12, 12), colour, 1); break;
    case Icon::pin:
      list_->AddRectFilled(pen.at(5, 1.5f), pen.at(11, 8), colour, 1);
      pen.line({{3, 8.8f}, {13, 8.8f}}, 1.8f);
      pen.line({{8, 9}, {8, 15}}, 1.6f);
      break;
    case Icon::chain:
      pen.arc(5.4f, 10.6f, 3.1f, 0.05f, 1.45f);
      pen.arc(10.6f, 5.4f, 3.1f, -0.95f, 0.45f);
      pen.line({{6, 10}, {10, 6}}, 1.5f);
      break;
    case Icon::dots:
      for (int i = 0; i < 3; ++i) pen.disc(3.5f + 4.5f * static_cast<float>(i), 8, 1.4f);
      break;
    case Icon::chevron_left: pen.line({{10, 3.5f}, {5.5f, 8}, {10, 12.5f}}); break;
    case Icon::chevron_right: pen.line({{6, 3.5f}, {10.5f, 8}, {6, 12.5f}}); break;
    case Icon::chevron_down: pen.line({{4, 6}, {8, 10}, {12, 6}}); break;
    case Icon::chevron_up: pen.line({{4, 10}, {8, 6}, {12, 10}}); break;
    case Icon::reset:
    case Icon::undo:
      pen.arc(8, 8.5f, 5.2f, -0.75f, 0.85f);
      pen.line({{3.6f, 1.8f}, {4.2f, 5.2f}, {7.7f, 4.9f}}, 1.5f);
      break;
    case Icon::swap:
      pen.line({{2, 5.2f}, {14, 5.2f}}, 1.5f);
      pen.line({{11, 2.2f}, {14, 5.2f}, {11, 8.2f}}, 1.5f);
      pen.line({{14, 11}, {2, 11}}, 1.5f);
      pen.line({{5, 8}, {2, 11}, {5, 14}}, 1.5f);
      break;
    case Icon::bulb:
      pen.arc(8, 6.6f, 4.6f, 0.75f, 2.25f);
      pen.line({{4.8f, 10}, {6, 12}, {10, 12}, {11.2f, 10}}, 1.4f);
      pen.line({{6.4f, 14.3f}, {9.6f, 14.3f}}, 1.4f);
      break;
    case Icon::hidden:
      pen.arc(8, 12.5f, 7.6f, 1.22f, 1.78f);
      pen.arc(8, 3.5f, 7.6f, 0.22f, 0.78f);
      pen.circle(8, 8, 2.2f);
      pen.line({{3, 13.5f}, {13, 2.5f}}, 1.5f);
      break;
    case Icon::hash:
      pen.line({{5.8f, 3}, {4.8f, 13}}, 1.3f);
      pen.line({{11.2f, 3}, {10.2f, 13}}, 1.3f);
      pen.line({{3, 6}, {13.4f, 6}}, 1.3f);
      pen.line({{2.6f, 10}, {13, 10}}, 1.3f);
      break;
    case Icon::clock:
      pen.circle(8, 8, 6.2f);
      pen.line({{8, 4.2f}, {8, 8.2f}, {10.8f, 9.6f}}, 1.4f);
      break;
    case Icon::dot_ring:
      pen.circle(8, 8, 6.2f);
      pen.disc(8, 8, 2.4f);
      break;
    case Icon::approx:
      for (float y : {5.6f, 10.4f}) {
        list_->PathLineTo(pen.at(2.5f, y + 0.8f));
        list_->PathBezierCubicCurveTo(pen.at(6, y - 3), pen.at(10, y + 3), pen.at(13.5f, y - 0.8f));
        list_->PathStroke(colour, 1.4f * pen.unit);
      }
      break;
    case Icon::speech:
      pen.box(2, 3, 14, 11, 2);
      pen.line({{5, 11}, {5, 14}, {8, 11}}, 1.3f);
      break;
    case Icon::gear:
      pen.circle(8, 8, 2.3f);
      pen.circle(8, 8, 5.0f, 1.4f);
      for (int i = 0; i < 8; ++i) {
        const float angle = static_cast<float>(i) * kPi / 4;
        pen.line({{8 + 5 * std::cos(angle), 8 + 5 * std::sin(angle)},
                  {8 + 7 * std::cos(angle), 8 + 7 * std::sin(angle)}},
                 1.8f);
      }
      break;
    case Icon::search:
      pen.circle(6.8f, 6.8f, 4.4f);
      pen.line({{10.1f, 10.1f}, {14, 14}});
      break;
    case Icon::list:
      for (float y : {4.0f, 8.0f, 12.0f}) pen.line({{2.5f, y}, {13.5f, y}}, 1.5f);
      break;
    case Icon::logo: draw_logo(pen, hole ? hole : colour); break;
    case Icon::sun:
      pen.circle(8, 8, 3);
      for (int i = 0; i < 8; ++i) {
        const float angle = static_cast<float>(i) * kPi / 4;
        pen.line({{8 + 5 * std::cos(angle), 8 + 5 * std::sin(angle)},
                  {8 + 7 * std::cos(angle), 8 + 7 * std::sin(angle)}},
                 1.4f);
      }
      break;
    case Icon::moon:
      list_->PathArcTo(pen.at(8, 8), 5.8f * pen.unit, 0.05f * kPi, 1.45f * kPi);
      list_->PathBezierCubicCurveTo(pen.at(5, 6.5f), pen.at(9, 11.5f), pen.at(13.7f, 8.9f));
      list_->PathStroke(colour, 1.4f * pen.unit);
      break;
    case Icon::translate:
      pen.line({{2, 13}, {5.5f, 4}, {9, 13}}, 1.4f);
      pen.line({{3.2f, 10}, {7.8f, 10}}, 1.4f);
      pen.line({{10, 5}, {15, 5}}, 1.3f);
      pen.line({{12.5f, 3.4f}, {12.5f, 5}, {10.6f, 9}}, 1.3f);
      pen.line({{11.2f, 6.4f}, {14.6f, 9.4f}}, 1.3f);
      break;
    case Icon::chip:
      pen.box(4, 4, 12, 12, 1.5f);
      pen.box(6.5f, 6.5f, 9.5f, 9.5f, 0.5f);
      for (float t : {6.0f, 10.0f}) {
        pen.line({{t, 1.5f}, {t, 4}}, 1.3f);
        pen.line({{t, 12}, {t, 14.5f}}, 1.3f);
        pen.line({{1.5f, t}, {4, t}}, 1.3f);
        pen.line({{12, t}, {14.5f, t}}, 1.3f);
      }
      break;
  }
}

}  // namespace warpbook::gui
