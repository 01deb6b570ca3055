// Markdown to blocks, by md4c: what a chapter or a task may consist of, and nothing else. Directives are still fenced
// text here (directive.hpp reads them).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lab/document/document.hpp"

namespace warpbook::lab {

/// A fenced block: code, or a directive.
struct Fence {
  std::string info;  ///< the info string: "cuda", "predict"
  std::string body;
  std::uint32_t body_line = 0;  ///< of its first line
};

struct MarkdownBlock {
  std::uint32_t line = 0;  ///< where its text begins, from 1
  std::variant<Paragraph, Heading, ListBlock, FormulaBlock, Aside, Fence> value;
};

/// Errors: bad_markdown, with the line.
device::Expected<std::vector<MarkdownBlock>> parse_markdown(std::string_view text,
                                                            const std::string& file);

/// One paragraph's inline Markdown, as it stands in a directive's text at `line`. What would begin a list or a heading
/// in a document is plain text here.
device::Expected<Spans> parse_inline(std::string_view text, const std::string& file,
                                     std::uint32_t line);

/// The characters of `spans` without their looks.
std::string plain_text(const Spans& spans);

}  // namespace warpbook::lab
