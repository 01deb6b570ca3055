// warpbook glossary [WORD]: the terms of the book, and where each is explained first.
#include <fmt/format.h>

#include "cli/command.hpp"
#include "device/platform.hpp"
#include "lab/document/glossary.hpp"
#include "lessons/catalogue.hpp"

namespace warpbook::cli {
namespace {

struct GlossaryFlags {
  LanguageFlag language;
  std::string word;
};

int glossary(const GlossaryFlags& flags) {
  const auto strings = flags.language.strings();
  const auto glossary = lab::load_glossary(device::root_folder().string(), lessons::catalogue(),
                                           flags.language.language());
  if (!glossary) return complain(glossary.error(), strings.get());
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
  Verb verb = line.add("glossary", "Print the terms of the book, or those that fit a word");
  verb.option("word", flags->word, "A part of a term, or of what explains it");
  flags->language.add_to(verb);
  verb.does([flags] { return glossary(*flags); });
}

}  // namespace warpbook::cli
