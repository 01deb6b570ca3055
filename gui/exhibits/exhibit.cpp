#include "gui/exhibits/exhibit.hpp"

#include <algorithm>

#include "gui/controls/tab_stops.hpp"
#include "gui/controls/widgets.hpp"
#include "gui/exhibits/in_words.hpp"
#include "gui/exhibits/panel_menu.hpp"
#include "gui/exhibits/panels.hpp"

namespace warpbook::gui {
namespace {

constexpr std::uint64_t kSentence = 0;  ///< under which the cache keeps it

/// What stands round a figure.
struct Setting {
  bool stale = false;
  const lab::PredictDirective* veil = nullptr;
  bool menu = true;
};

/// Where all its figures come from; of times alike, what each of them says. Null where they differ: then each group says its own.
const device::Evidence* evidence_of(const lab::Exhibit& exhibit) {
  if (exhibit.evidence) return &*exhibit.evidence;
  const auto* timings = std::get_if<lab::TimingsExhibit>(&exhibit.value);
  if (!timings || timings->rows.empty()) return nullptr;
  const device::Evidence& first = timings->rows.front().evidence;
  const bool alike = std::ranges::all_of(
      timings->rows, [&](const auto& row) { return row.evidence.kind == first.kind; });
  return alike ? &first : nullptr;
}

PanelHeader header_of(const Ui& ui, const lab::Exhibit& exhibit, bool stale) {
  PanelHeader header;
  header.title = ui.tr(exhibit.title);
  if (const auto* source = std::get_if<lab::SourceExhibit>(&exhibit.value)) {
    header.title = source->file;
    header.mono_title = true;
  }
  header.subtitle = ui.book.note_on(exhibit, stale);
  header.evidence = evidence_of(exhibit);
  return header;
}

/// What the panel holds: the figure, or what it shows in words.
float body_of(const FigureArea& area, const lab::Exhibit& exhibit) {
  return area.ui.in_words ? in_words(area, exhibit) : figure(area, exhibit);
}

float panel_of(const FigureArea& area, const lab::Exhibit& exhibit, const Setting& setting) {
  const Ui& ui = area.ui;
  const auto [stale, veil, with_menu] = setting;
  constexpr float kSide = measure::kPadding;
  const ImVec2 body{area.corner.x + kSide, area.corner.y + measure::kPanelHeader};
  const FigureArea inside{ui, body, area.width - 2 * kSide, false, area.beside};
  const float figure_height =
      veil ? std::max(64.0f, std::min(180.0f, body_of(inside, exhibit))) : body_of(inside, exhibit);
  const std::string says =
      veil ? std::string() : ui.cache.get<std::string>(&exhibit, kSentence, [&] {
        return lab::sentence(exhibit, ui.book.strings());
      });
  // A text's sentence is the text itself, and words begin with the sentence.
  const bool is_said = ui.in_words || std::holds_alternative<lab::TextExhibit>(exhibit.value);
  const FigureArea caption{ui, {body.x, body.y + figure_height + 10}, inside.width, area.draw};
  const float caption_height =
      says.empty() || is_said
          ? 0
          : words({ui, caption.corner, caption.width, false}, says, ui.caption_style()) + 10;
  const float height = measure::kPanelHeader + figure_height + caption_height + 14;
  if (!area.draw || !is_wanted(area.corner, {area.corner.x + area.width, area.corner.y + height})) {
    return height;
  }
  ImGui::PushID(exhibit.id.c_str());
  PanelHeader header = header_of(ui, exhibit, stale);
  const bool menu = with_menu && !veil;  // what is covered cannot be taken away either
  if (menu) header.right = kMenuWidth - 8;
  panel(ui, area.corner, area.width, height, header);
  if (menu) {
    panel_menu(ui, area.corner.x + area.width - 8, area.corner.y + measure::kPanelHeader / 2,
               exhibit, stale);
  }
  if (veil) {
    ui.motion.since(ImGui::GetID("veil"), 1);
    draw_veil({ui, body, inside.width, true}, figure_height, *veil);
  } else {
    body_of({ui, body, inside.width, true, area.beside}, exhibit);
    // The caption is about what is chosen in the figure, which only drawing knows: it has the room that was measured.
    const auto* sectors = std::get_if<lab::SectorsExhibit>(&exhibit.value);
    if (caption_height > 0)
      words(caption, sectors ? sentence_shown(ui, *sectors) : says, ui.caption_style());
    const float shown = ui.motion.since(ImGui::GetID("veil"), 0);
    if (shown < 1) {
      ui.ink().fill(body, {body.x + inside.width, area.corner.y + height - 4},
                    fade(ui.theme.s2, 1 - shown));
    }
    if (stale) {
      ui.ink().fill(body, {body.x + inside.width, area.corner.y + height - 4},
                    fade(ui.theme.s2, 0.55f));
    }
  }
  ImGui::PopID();
  return height;
}

}  // namespace

std::size_t number_of(const Book& book, const lab::PredictDirective& question) {
  std::size_t number = 0;
  for (const lab::DocumentNode& node : book.document().nodes) {
    const auto* asked = std::get_if<lab::PredictDirective>(&node);
    if (!asked) continue;
    ++number;
    if (asked->id == question.id) break;
  }
  return number;
}

void draw_veil(const FigureArea& area, float height, const lab::PredictDirective& question) {
  const Ui& ui = area.ui;
  const Ink ink = ui.ink();
  const ImVec2 max{area.corner.x + area.width, area.corner.y + height};
  ink.fill(area.corner, max, ui.theme.s1, measure::kControlRadius);
  ink.hatch(area.corner, max, ui.theme.line, 14);
  const std::string says =
      ui.tr("gui.veil.says", {{"number", std::to_string(number_of(ui.book, question))}});
  const ButtonLook look{ButtonKind::plain, measure::kCardButton};
  const std::string show = ui.tr("gui.predict.show-me");
  const float words_width = ink.width(ui.label(), says), button_wide = button_width(ui, show, look);
  const float total = 24 + words_width + 16 + button_wide + 24,
              middle = (area.corner.y + max.y) / 2;
  const float left = area.corner.x + (area.width - total) / 2;
  ink.fill({left - 4, middle - 20}, {left + total + 4, middle + 20}, ui.theme.s2, 20);
  ink.icon(Icon::hidden, {left + 16, middle}, ui.theme.t3);
  ink.text_middle(left + 34, middle, {Face::sans, 15, ui.theme.t2}, says);
  if (button(ui, "show me", {left + total - button_wide - 12, middle - measure::kCardButton / 2},
             show, look)) {
    ui.post([id = question.id](Book& book) { book.answer(id, ""); });
  }
}

float words(const FigureArea& area, const std::string& text, const ParagraphStyle& style) {
  const Ink ink = area.ui.ink();
  const Paragraph& paragraph = area.ui.paragraphs.get(runs_with_code(text), style, area.width, ink);
  if (area.draw) paragraph.draw(ink, area.corner, area.ui.paragraph_colours());
  return paragraph.height();
}

float figure(const FigureArea& area, const lab::Exhibit& exhibit) {
  return std::visit([&](const auto& value) { return figure_of(area, value, exhibit.id); },
                    exhibit.value);
}

float exhibit_panel(const FigureArea& area, const lab::Exhibit& exhibit, bool stale) {
  return panel_of(area, exhibit, {stale, area.ui.book.veil(exhibit.id)});
}

float exhibit_panel_under(const FigureArea& area, const lab::Exhibit& exhibit, bool stale,
                          const lab::PredictDirective* veil) {
  return panel_of(area, exhibit, {stale, veil});
}

float exhibit_panel_alone(const FigureArea& area, const lab::Exhibit& exhibit) {
  return panel_of(area, exhibit, {false, nullptr, false});
}

}  // namespace warpbook::gui
