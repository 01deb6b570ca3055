// warpbook glossary [WORD]: the terms of the book, where each is explained first, and which chapters use it; or all of them as
// one HTML page.
#include <fmt/format.h>

#include "cli/command.hpp"
#include "device/platform.hpp"
#include "lab/book/chapter_page.hpp"
#include "lab/document/glossary.hpp"
#include "lab/render/render.hpp"
#include "lessons/catalogue.hpp"

namespace warpbook::cli {
namespace {

struct GlossaryFlags {
  LanguageFlag language;
  std::string word, out;
};

/// All terms, as a page.
int write_page(const std::string& file, const lab::Glossary& glossary,
               const lab::Strings& strings) {
  const std::string page = lab::to_html_page(glossary, strings);
  if (const auto written = device::write_file_atomically(file, page); !written)
    return complain(written.error(), &strings);
  fmt::print("{}\n", strings("cli.glossary.written", {{"count", glossary.entries().size()},
                                                      {"file", file},
                                                      {"size", lab::byte_count(page.size())}}));
  return kDone;
}

int glossary(const GlossaryFlags& flags) {
  const auto strings = flags.language.strings();
  const auto glossary = lab::load_glossary(device::root_folder().string(), lessons::catalogue(),
                                           flags.language.language());
  if (!glossary) return complain(glossary.error(), strings.get());
  if (!flags.out.empty()) {
    if (const auto named = ends_in(flags.out, ".html"); !named)
      return complain(named.error(), strings.get());
    return write_page(flags.out, *glossary, *strings);
  }
  const auto entries = glossary->matching(flags.word);
  if (entries.empty()) {
    fmt::print(stderr, "warpbook: {}\n", (*strings)("cli.glossary.none", {{"word", flags.word}}));
    return kFailed;
  }
  fmt::print("{}", lab::to_text(entries, *strings));
  return kDone;
}

}  // namespace

void add_glossary(CommandLine& line) {
  auto flags = std::make_shared<GlossaryFlags>();
  Verb verb = line.add("glossary",
                       "Print the terms of the book by the alphabet (Chinese ones by pinyin), or "
                       "those that fit a word");
  verb.option("word", flags->word, "A part of a term, or of what explains it");
  verb.option("--out", flags->out, "Write all of them into this file instead, .html");
  flags->language.add_to(verb);
  verb.does([flags] { return glossary(*flags); });
}

}  // namespace warpbook::cli
