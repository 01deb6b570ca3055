#include "lab/document/document.hpp"

#include <filesystem>
#include <set>

#include "device/platform.hpp"
#include "lab/document/directive.hpp"
#include "lab/document/markdown.hpp"
#include "lab/document/text_error.hpp"
#include "lab/text/language.hpp"
#include "lab/text/source_text.hpp"

namespace warpbook::lab {
namespace {

using device::ErrorCode;

constexpr std::uint64_t kLargestText = 4u << 20;  // bytes; a chapter has some ten thousand

// The id of a question or a term, by which answers are kept and links find it; null for any other block.
const std::string* id_of(const DocumentNode& block) {
  if (const auto* predict = std::get_if<PredictDirective>(&block)) return &predict->id;
  if (const auto* term = std::get_if<TermDirective>(&block)) return &term->id;
  return nullptr;
}

device::Expected<device::Done> read_source(const std::string& root, const std::string& path,
                                           std::string& text, const std::string& file,
                                           std::uint32_t line) {
  if (path.empty()) return device::Done{};
  auto source = read_source_file(root, path);
  if (!source) {
    device::Error error = source.error();
    error.place = {file, line, 0};
    return tl::unexpected(std::move(error));
  }
  text = without_rung_block(*source);
  return device::Done{};
}

}  // namespace

device::Expected<Document> parse_document(std::string_view markdown, const std::string& file,
                                          const std::string& language) {
  auto blocks = parse_markdown(markdown, file);
  if (!blocks) return tl::unexpected(blocks.error());

  Document document;
  document.language = language;
  document.file = file;
  std::set<std::string> ids;
  for (MarkdownBlock& block : *blocks) {
    const device::SourcePlace place{file, block.line, 0};
    if (auto* heading = std::get_if<Heading>(&block.value); heading && heading->level == 1) {
      if (!document.title.empty()) {
        return tl::unexpected(text_error("second-title", {}, place));
      }
      document.title = plain_text(heading->spans);
      continue;
    }
    if (document.title.empty()) {
      return tl::unexpected(text_error("above-title", {}, place));
    }
    if (const auto* fence = std::get_if<Fence>(&block.value)) {
      auto parsed = parse_fence(*fence, file, block.line);
      if (!parsed) return tl::unexpected(parsed.error());
      if (const std::string* id = id_of(*parsed)) {
        const std::string kind(directive_kind(*parsed));
        if (!ids.insert(kind + ' ' + *id).second) {
          return device::failure(
              ErrorCode::repeated_name,
              {{"kind", device::Message{"phrase.kind." + kind, {}, {}}}, {"name", *id}}, place);
        }
      }
      document.nodes.push_back(std::move(*parsed));
    } else {
      std::visit(
          [&](auto& value) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(value)>, Fence>) {
              document.nodes.emplace_back(std::move(value));
            }
          },
          block.value);
    }
    document.lines.push_back(block.line);
  }
  if (document.title.empty()) {
    return tl::unexpected(text_error("no-title", {}, {file, 1, 0}));
  }
  return document;
}

device::Expected<Document> load_document(const std::string& root, const std::string& slug,
                                         const std::string& language) {
  const std::string file = "lessons/" + slug + "/" + language + ".md";
  const std::filesystem::path path = std::filesystem::path(root) / file;
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    return device::failure(ErrorCode::missing_text,
                           {{"file", file}, {"language", language_name(language, root)}});
  }
  const auto text = device::read_file(path, kLargestText);
  if (!text) return tl::unexpected(text.error());
  auto document = parse_document(*text, file, language);
  if (!document) return document;

  for (std::size_t i = 0; i < document->nodes.size(); ++i) {
    const auto fill_in = [&](const std::string& source, std::string& into) {
      return read_source(root, source, into, file, document->lines[i]);
    };
    device::Expected<device::Done> done{device::Done{}};
    if (auto* predict = std::get_if<PredictDirective>(&document->nodes[i])) {
      done = fill_in(predict->source, predict->source_text);
    } else if (auto* attempt = std::get_if<TryDirective>(&document->nodes[i])) {
      done = fill_in(attempt->source, attempt->source_text);
    } else if (auto* code = std::get_if<CodeBlock>(&document->nodes[i])) {
      done = fill_in(code->file, code->text);
    } else if (auto* compare = std::get_if<CompareDirective>(&document->nodes[i])) {
      for (auto& variant : compare->variants) {
        if (done) done = fill_in(variant.source, variant.source_text);
      }
    }
    if (!done) return tl::unexpected(done.error());
  }
  return document;
}

}  // namespace warpbook::lab
