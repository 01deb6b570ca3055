#include "lab/document/glossary.hpp"

#include <algorithm>
#include <functional>
#include <set>

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
         holds(term.opencl, typed) || entry.initials.starts_with(typed) ||
         std::ranges::any_of(term.forms,
                             [&](const std::string& form) { return holds(form, typed); });
}

/// The spans with links in place of the words of terms that `linked` does not have yet; each is then added to it.
Spans with_links(const Spans& spans, const TermWords& words,
                 const std::function<bool(const std::string&)>& wanted,
                 std::set<std::string>& linked) {
  Spans made;
  for (const Span& span : spans) {
    if (span.kind != Span::Kind::text) {
      made.push_back(span);
      continue;
    }
    std::size_t done = 0;
    const auto piece = [&](std::size_t begin, std::size_t end, const std::string& target) {
      if (begin == end) return;
      Span part = span;
      part.text = span.text.substr(begin, end - begin);
      if (!target.empty()) {
        part.kind = Span::Kind::link;
        part.target = target;
      }
      made.push_back(std::move(part));
    };
    for (const TermWords::Use& use : words.in(span.text)) {
      if (!wanted(use.id) || !linked.insert(use.id).second) continue;
      piece(done, use.begin, "");
      piece(use.begin, use.end, "#" + use.id);
      done = use.end;
    }
    piece(done, span.text.size(), "");
  }
  return made;
}

void note_links(const Spans& spans, std::set<std::string>& linked) {
  for (const Span& span : spans) {
    if (span.target.starts_with("#")) linked.insert(span.target.substr(1));
  }
}

}  // namespace

std::string titles_of(const std::vector<std::pair<std::string, std::string>>& chapters,
                      const Strings& strings) {
  std::string titles;
  for (const auto& [slug, title] : chapters)
    titles += (titles.empty() ? "" : strings("document.comma")) + title;
  return titles;
}

std::vector<std::string> chapters_of(const GlossaryEntry& entry, const Strings& strings) {
  std::vector<std::string> lines{
      strings("document.first-in", {{"title", entry.title}, {"chapter", entry.chapter}})};
  if (!entry.used_in.empty())
    lines.push_back(strings("document.used-in", {{"chapters", titles_of(entry.used_in, strings)}}));
  return lines;
}

void link_terms(Document& document, const std::string& slug, const Glossary& glossary) {
  std::set<std::string> linked;
  for (const DocumentNode& node : document.nodes) {
    for (const Spans& spans : prose_of(node)) note_links(spans, linked);
  }
  const auto wanted = [&](const std::string& id) {
    const GlossaryEntry* entry = glossary.find(id);
    return entry && entry->chapter != slug;
  };
  const auto link = [&](Spans& spans) {
    spans = with_links(spans, glossary.words(), wanted, linked);
  };
  for (DocumentNode& node : document.nodes) {
    if (auto* paragraph = std::get_if<Paragraph>(&node)) link(paragraph->spans);
    if (auto* list = std::get_if<ListBlock>(&node)) {
      for (Spans& item : list->items) link(item);
    }
    if (auto* aside = std::get_if<Aside>(&node)) {
      for (Spans& paragraph : aside->paragraphs) link(paragraph);
    }
  }
}

void Glossary::add(const std::string& slug, const Document& document) {
  for (const DocumentNode& block : document.nodes) {
    const auto* term = std::get_if<TermDirective>(&block);
    if (!term || find(term->id)) continue;
    const std::string name = plain_text(term->name);
    words_.add(*term);
    GlossaryEntry entry{*term, slug, document.title, pinyin_order(name), pinyin_initials(name), {}};
    const auto place = std::ranges::upper_bound(entries_, entry.order, {}, &GlossaryEntry::order);
    entries_.insert(place, std::move(entry));
  }
}

void Glossary::note_uses(const std::string& slug, const Document& document) {
  std::set<std::string> used;
  for (const DocumentNode& node : document.nodes) {
    for (const Spans& spans : prose_of(node)) {
      for (const TermWords::Use& use : words_.in(readable_text(spans))) used.insert(use.id);
    }
  }
  for (GlossaryEntry& entry : entries_) {
    if (entry.chapter != slug && used.contains(entry.term.id))
      entry.used_in.emplace_back(slug, document.title);
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
  std::vector<Document> documents;
  for (const Lesson& chapter : chapters) {
    auto document = load_document(root, chapter.slug, language);
    if (!document) return tl::unexpected(document.error());
    glossary.add(chapter.slug, *document);
    documents.push_back(std::move(*document));
  }
  for (std::size_t i = 0; i < documents.size(); ++i)
    glossary.note_uses(chapters[i].slug, documents[i]);
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
    for (const std::string& line : chapters_of(*entry, strings)) lines(line, 2);
  }
  return text;
}

}  // namespace warpbook::lab
