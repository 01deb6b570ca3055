#include "gui/editor/word_help.hpp"

#include "gui/controls/card.hpp"
#include "gui/controls/spans.hpp"
#include "gui/editor/cuda_words.hpp"

namespace warpbook::gui {

void word_help(const Ui& ui, const std::string& word, bool of_glossary, ImVec2 min, ImVec2 max) {
  if (const CudaWord* known = cuda_word(word)) {
    const ParagraphStyle code{14, 24, Face::mono, Face::mono_bold, ui.theme.t1, 0};
    card(ui,
         {{plain_runs(std::string(known->signature)), code},
          {plain_runs(ui.tr("word." + word)), card_meaning(ui)}},
         min, max);
    return;
  }
  if (!of_glossary) return;
  const auto uses = ui.book.glossary().words().in(word);
  const bool whole = uses.size() == 1 && uses[0].begin == 0 && uses[0].end == word.size();
  const lab::GlossaryEntry* entry = whole ? ui.book.glossary().find(uses[0].id) : nullptr;
  if (!entry) return;
  card(ui,
       {{runs_alone(entry->term.name), card_name(ui)},
        {runs_alone(entry->term.meaning), card_meaning(ui)},
        {plain_runs(ui.tr("gui.glossary.first", {{"chapter", entry->title}})), card_note(ui)}},
       min, max);
}

}  // namespace warpbook::gui
