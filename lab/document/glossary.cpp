#include "lab/document/glossary.hpp"

#include <algorithm>

#include "lab/document/markdown.hpp"
#include "lab/text/pinyin.hpp"
#include "lab/text/text_layout.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

bool holds(std::string_view text, const std::string& folded) {
  return case_folded(text).find(folded) != std::string::npos;
}

bool is_called(const GlossaryEntry& entry, const std::string& typed) {
  const TermDirective& term = entry.term;
  return holds(plain_text(term.name), typed) || holds(term.id, typed) ||
         holds(term.opencl, typed) || entry.initials.starts_with(typed);
}

}  // namespace

void Glossary::add(const std::string& slug, const Document& document) {
  for (const DocumentNode& block : document.nodes) {
    const auto* term = std::get_if<TermDirective>(&block);
    if (!term || find(term->id)) continue;
    const std::string name = plain_text(term->name);
    GlossaryEntry entry{*term, slug, document.title, pinyin_order(name), pinyin_initials(name)};
    const auto place = std::ranges::upper_bound(entries_, entry.order, {}, &GlossaryEntry::order);
    entries_.insert(place, std::move(entry));
  }
}

const GlossaryEntry* Glossary::find(std::string_view id) const {
  const auto found = std::ranges::find_if(
      entries_, [&](const GlossaryEntry& entry) { return entry.term.id == id; });
  return found == entries_.end() ? nullptr : &*found;
}

std::vector<const GlossaryEntry*> Glossary::matching(std::string_view typed) const {
  const std::string wanted = case_folded(typed);
  std::vector<const GlossaryEntry*> called, said;
  for (const GlossaryEntry& entry : entries_) {
    if (is_called(entry, wanted)) {
      called.push_back(&entry);
    } else if (holds(plain_text(entry.term.meaning), wanted)) {
      said.push_back(&entry);
    }
  }
  called.insert(called.end(), said.begin(), said.end());
  return called;
}

device::Expected<Glossary> load_glossary(const std::string& root, std::span<const Lesson> chapters,
                                         const std::string& language) {
  Glossary glossary;
  for (const Lesson& chapter : chapters) {
    const auto document = load_document(root, chapter.slug, language);
    if (!document) return tl::unexpected(document.error());
    glossary.add(chapter.slug, *document);
  }
  return glossary;
}

std::string to_text(std::span<const GlossaryEntry* const> entries, const Strings& strings,
                    int width) {
  std::string text;
  const auto lines = [&](const std::string& words, std::size_t indent) {
    for (const std::string& line :
         wrap(words, static_cast<std::size_t>(std::max(width, 20)), indent))
      text += line + '\n';
  };
  for (const GlossaryEntry* entry : entries) {
    if (!text.empty()) text += '\n';
    const TermDirective& term = entry->term;
    text += plain_text(term.name) + '\n';
    std::string meaning = plain_text(term.meaning);
    if (!term.opencl.empty()) meaning += " " + strings("document.opencl", {{"name", term.opencl}});
    lines(meaning, 2);
    lines(strings("document.first-in", {{"title", entry->title}, {"chapter", entry->chapter}}), 2);
  }
  return text;
}

}  // namespace warpbook::lab
