#include "gui/document/term_card.hpp"

#include <algorithm>

#include "gui/controls/card.hpp"
#include "gui/controls/spans.hpp"

namespace warpbook::gui {

std::string chapter_of(const Ui& ui, const lab::GlossaryEntry& entry) {
  const auto& chapters = ui.book.chapters();
  const auto found = std::ranges::find(chapters, entry.chapter, &ChapterEntry::slug);
  if (found == chapters.end()) return entry.title;
  return std::to_string(found - chapters.begin() + 1) + "  " + entry.title;
}

void term_card(const Ui& ui, std::string_view id, ImVec2 min, ImVec2 max) {
  const lab::GlossaryEntry* entry = ui.book.glossary().find(id);
  if (!entry) return;
  std::vector<CardLine> lines{{runs_alone(entry->term.name), card_name(ui)},
                              {runs_alone(entry->term.meaning), card_meaning(ui)}};
  if (!entry->term.opencl.empty()) {
    lines.push_back(
        {plain_runs(ui.tr("gui.term.opencl", {{"name", entry->term.opencl}})), card_note(ui)});
  }
  lines.push_back({plain_runs(ui.tr("gui.glossary.first", {{"chapter", chapter_of(ui, *entry)}})),
                   card_note(ui)});
  if (!entry->used_in.empty()) {
    lines.push_back(
        {plain_runs(ui.tr("document.used-in",
                          {{"chapters", lab::titles_of(entry->used_in, ui.book.strings())}})),
         card_note(ui)});
  }
  card(ui, lines, min, max);
}

}  // namespace warpbook::gui
