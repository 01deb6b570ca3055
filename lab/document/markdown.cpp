#include "lab/document/markdown.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include <md4c.h>

#include "device/characters.hpp"
#include "lab/document/formula.hpp"
#include "lab/document/text_error.hpp"
#include "lab/text/text_layout.hpp"

namespace warpbook::lab {
namespace {

using device::Error;
using device::ErrorCode;

bool is_plain_name(std::string_view text) {
  const auto begins = [](char c) { return device::is_letter(c) || c == '_'; };
  return !text.empty() && begins(text.front()) && std::ranges::all_of(text, [&](char c) {
    return begins(c) || device::is_digit(c) || c == '-';
  });
}

// A link leads to a chapter by its slug, to a term of the glossary, or to a page on the web.
bool is_target(std::string_view target) {
  if (target.starts_with("https://")) return target.size() > 8;
  if (target.starts_with('#')) return is_plain_name(target.substr(1));
  return is_plain_name(target);
}

void append_utf8(std::string& text, std::uint32_t c) {
  if (c == 0 || c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) c = 0xfffd;
  if (c < 0x80) {
    text += static_cast<char>(c);
  } else if (c < 0x800) {
    text += static_cast<char>(0xc0 | (c >> 6));
    text += static_cast<char>(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    text += static_cast<char>(0xe0 | (c >> 12));
    text += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
    text += static_cast<char>(0x80 | (c & 0x3f));
  } else {
    text += static_cast<char>(0xf0 | (c >> 18));
    text += static_cast<char>(0x80 | ((c >> 12) & 0x3f));
    text += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
    text += static_cast<char>(0x80 | (c & 0x3f));
  }
}

// md4c leaves entities to its caller. These are the few that prose needs; any other is kept as it is written.
std::string decoded_entity(std::string_view entity) {
  static constexpr std::pair<std::string_view, std::string_view> kNamed[] = {
      {"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&quot;", "\""}, {"&nbsp;", "\u00a0"}};
  for (const auto& [name, text] : kNamed) {
    if (entity == name) return std::string(text);
  }
  if (entity.starts_with("&#") && entity.ends_with(';')) {
    const bool hexadecimal = entity.size() > 3 && (entity[2] == 'x' || entity[2] == 'X');
    const std::string_view digits =
        entity.substr(hexadecimal ? 3 : 2, entity.size() - (hexadecimal ? 4 : 3));
    std::uint32_t code = 0;
    const auto [end, failed] =
        std::from_chars(digits.data(), digits.data() + digits.size(), code, hexadecimal ? 16 : 10);
    std::string text;
    if (failed == std::errc{} && end == digits.data() + digits.size()) {
      append_utf8(text, code);
      return text;
    }
  }
  return std::string(entity);
}

// Builds the blocks from md4c's events. A callback that returns 1 ends the parse; error_ then says why.
class Collector {
 public:
  Collector(std::string_view text, const std::string& file) : text_(text), file_(file) {
    starts_.push_back(0);
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') starts_.push_back(i + 1);
    }
  }

  int enter_block(MD_BLOCKTYPE type, void* detail);
  int leave_block(MD_BLOCKTYPE type);
  int enter_span(MD_SPANTYPE type, void* detail);
  int leave_span(MD_SPANTYPE type);
  int text(MD_TEXTTYPE type, std::string_view text);

  device::Expected<std::vector<MarkdownBlock>> finish(int outcome) {
    if (error_) return tl::unexpected(*error_);
    if (outcome != 0) {
      return tl::unexpected(text_error("long-text", {}, {file_, 0, 0}));
    }
    return std::move(blocks_);
  }

 private:
  enum class Container { none, list, quote };

  int refuse(std::string_view name, device::MessageArguments arguments = {}) {
    if (!error_) {
      error_ = text_error(name, std::move(arguments), {file_, last_line_ == 0 ? 1 : last_line_, 0});
    }
    return 1;
  }
  // Most pieces that md4c passes point into the source. Some are constants of its own, whose line is unknown: 0.
  std::uint32_t line_of(const char* piece) const {
    const std::less<const char*> before;
    if (before(piece, text_.data()) || !before(piece, text_.data() + text_.size())) return 0;
    const auto offset = static_cast<std::size_t>(piece - text_.data());
    return static_cast<std::uint32_t>(std::upper_bound(starts_.begin(), starts_.end(), offset) -
                                      starts_.begin());
  }
  void see(const char* piece) {
    const std::uint32_t line = line_of(piece);
    if (line == 0) return;
    last_line_ = line;
    if (block_line_ == 0) block_line_ = line;
  }
  // A dollar that its author did not escape.
  [[nodiscard]] bool is_stray_dollar(std::string_view piece) const {
    const std::size_t at = piece.find('$');
    if (at == piece.npos) return false;
    return at > 0 || piece.data() == text_.data() || line_of(piece.data()) == 0 ||
           piece.data()[-1] != '\\';
  }
  void append(Span::Kind kind, std::string_view text);
  int close_spans(Spans& into);
  int close_formula();
  int close_paragraph();
  int close_quote();
  void emit(decltype(MarkdownBlock::value) value) {
    blocks_.push_back({block_line_ == 0 ? last_line_ : block_line_, std::move(value)});
    block_line_ = 0;
  }

  std::string_view text_;
  const std::string& file_;
  std::vector<std::size_t> starts_;
  std::vector<MarkdownBlock> blocks_;
  std::optional<Error> error_;

  Container container_ = Container::none;
  ListBlock list_;
  Aside aside_;
  std::optional<Fence> fence_;
  Spans spans_;
  int strong_ = 0, emphasis_ = 0;
  bool in_code_ = false, in_formula_ = false, soft_break_ = false, in_link_ = false;
  bool displayed_ = false;  // the spans hold a formula between two dollars each
  std::string code_, target_;
  int heading_level_ = 0;
  std::uint32_t block_line_ = 0, last_line_ = 0;
};

void Collector::append(Span::Kind kind, std::string_view text) {
  if (text.empty()) return;
  std::string lead;
  if (soft_break_) {
    soft_break_ = false;
    // A line end between two Chinese characters is no space.
    const bool joined =
        !spans_.empty() && kind == Span::Kind::text && spans_.back().kind == Span::Kind::text &&
        is_wide(last_character(spans_.back().text)) && is_wide(first_character(text));
    if (!spans_.empty() && !joined) lead = " ";
  }
  if (!lead.empty() && kind != Span::Kind::text) {
    if (spans_.back().kind == Span::Kind::text) {
      spans_.back().text += lead;
    } else {
      spans_.push_back({Span::Kind::text, lead, {}, strong_ > 0, emphasis_ > 0});
    }
    lead.clear();
  }
  const bool has_target = kind == Span::Kind::link || kind == Span::Kind::formula;
  const Span next{kind, lead + std::string(text), has_target ? target_ : "", strong_ > 0,
                  emphasis_ > 0};
  if (!spans_.empty() && spans_.back().kind == kind && spans_.back().target == next.target &&
      spans_.back().strong == next.strong && spans_.back().emphasis == next.emphasis &&
      (kind == Span::Kind::text || kind == Span::Kind::link)) {
    spans_.back().text += next.text;
  } else {
    spans_.push_back(next);
  }
}

int Collector::close_spans(Spans& into) {
  // CommonMark does not end emphasis between punctuation and a letter, and Chinese puts no space there.
  for (const Span& span : spans_) {
    if (span.kind == Span::Kind::text && span.text.find("**") != std::string::npos) {
      return refuse("stars");
    }
  }
  if (displayed_) {
    return refuse("displayed");
  }
  into = std::move(spans_);
  spans_.clear();
  soft_break_ = false;
  return 0;
}

int Collector::close_formula() {
  in_formula_ = false;
  if (in_link_) return refuse("formula-in-link");
  const auto formula = parse_formula(code_, {file_, last_line_, 0});
  if (!formula) {
    error_ = formula.error();
    return 1;
  }
  target_ = code_;
  append(Span::Kind::formula, formula_text(*formula));
  return 0;
}

int Collector::close_paragraph() {
  if (displayed_ && container_ == Container::none && spans_.size() == 1) {
    displayed_ = false;
    emit(FormulaBlock{std::move(spans_.front().text), std::move(spans_.front().target)});
    spans_.clear();
    return 0;
  }
  Spans spans;
  if (close_spans(spans) != 0) return 1;
  if (container_ == Container::quote) {
    aside_.paragraphs.push_back(std::move(spans));
  } else if (container_ == Container::list) {
    if (!list_.items.back().empty()) return refuse("item-paragraphs");
    list_.items.back() = std::move(spans);
  } else {
    emit(Paragraph{std::move(spans)});
  }
  return 0;
}

int Collector::close_quote() {
  container_ = Container::none;
  if (aside_.paragraphs.empty()) return refuse("quote-empty");
  Spans& first = aside_.paragraphs.front();
  std::size_t lead = 0;
  while (lead < first.size() && first[lead].strong) aside_.kind += first[lead++].text;
  if (lead == 0) return refuse("quote-lead");
  first.erase(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(lead));
  for (const std::string_view end : {".", ":", "。", "："}) {
    if (aside_.kind.ends_with(end)) {
      aside_.kind.erase(aside_.kind.size() - end.size());
      break;
    }
  }
  if (!first.empty()) first.front().text.erase(0, first.front().text.find_first_not_of(' '));
  if (!first.empty() && first.front().text.empty()) first.erase(first.begin());
  if (first.empty()) aside_.paragraphs.erase(aside_.paragraphs.begin());
  emit(std::move(aside_));
  aside_ = {};
  return 0;
}

int Collector::enter_block(MD_BLOCKTYPE type, void* detail) {
  switch (type) {
    case MD_BLOCK_QUOTE:
      if (container_ != Container::none) return refuse("quote-inside");
      container_ = Container::quote;
      return 0;
    case MD_BLOCK_UL:
    case MD_BLOCK_OL:
      if (container_ != Container::none) return refuse("list-inside");
      container_ = Container::list;
      list_ = {};
      list_.ordered = type == MD_BLOCK_OL;
      return 0;
    case MD_BLOCK_H:
      if (container_ != Container::none) return refuse("heading-inside");
      heading_level_ = static_cast<int>(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level);
      return 0;
    case MD_BLOCK_CODE: {
      const auto& code = *static_cast<MD_BLOCK_CODE_DETAIL*>(detail);
      if (code.info.text != nullptr) see(code.info.text);
      if (container_ != Container::none) return refuse("fence-inside");
      fence_ = Fence{};
      if (code.info.text != nullptr) fence_->info.assign(code.info.text, code.info.size);
      fence_->body_line = code.info.text != nullptr && code.info.size != 0 ? last_line_ + 1 : 0;
      return 0;
    }
    case MD_BLOCK_HR: return refuse("rule");
    case MD_BLOCK_HTML: return refuse("html");
    case MD_BLOCK_TABLE:
    case MD_BLOCK_THEAD:
    case MD_BLOCK_TBODY:
    case MD_BLOCK_TR:
    case MD_BLOCK_TH:
    case MD_BLOCK_TD: return refuse("table");
    case MD_BLOCK_LI: list_.items.emplace_back(); return 0;
    case MD_BLOCK_P:
    case MD_BLOCK_DOC: return 0;
  }
  return 0;
}

int Collector::leave_block(MD_BLOCKTYPE type) {
  switch (type) {
    case MD_BLOCK_P: return close_paragraph();
    case MD_BLOCK_H: {
      Heading heading{heading_level_, {}};
      if (close_spans(heading.spans) != 0) return 1;
      if (heading.spans.empty()) return refuse("heading-empty");
      emit(std::move(heading));
      return 0;
    }
    case MD_BLOCK_CODE:
      if (fence_->body_line == 0) fence_->body_line = block_line_;
      emit(std::move(*fence_));
      fence_.reset();
      return 0;
    case MD_BLOCK_LI:
      if (!spans_.empty()) return close_spans(list_.items.back());
      return 0;
    case MD_BLOCK_UL:
    case MD_BLOCK_OL:
      container_ = Container::none;
      emit(std::move(list_));
      list_ = {};
      return 0;
    case MD_BLOCK_QUOTE: return close_quote();
    default: return 0;
  }
}

int Collector::enter_span(MD_SPANTYPE type, void* detail) {
  switch (type) {
    case MD_SPAN_EM: ++emphasis_; return 0;
    case MD_SPAN_STRONG: ++strong_; return 0;
    case MD_SPAN_CODE:
      in_code_ = true;
      code_.clear();
      return 0;
    case MD_SPAN_LATEXMATH_DISPLAY: displayed_ = true; [[fallthrough]];
    case MD_SPAN_LATEXMATH:
      in_formula_ = true;
      code_.clear();
      return 0;
    case MD_SPAN_A: {
      const auto& link = *static_cast<MD_SPAN_A_DETAIL*>(detail);
      target_.assign(link.href.text == nullptr ? "" : link.href.text, link.href.size);
      in_link_ = true;
      if (!is_target(target_)) return refuse("target", {{"target", target_}});
      return 0;
    }
    case MD_SPAN_IMG: return refuse("image");
    default: return 0;
  }
}

int Collector::leave_span(MD_SPANTYPE type) {
  switch (type) {
    case MD_SPAN_EM: --emphasis_; return 0;
    case MD_SPAN_STRONG: --strong_; return 0;
    case MD_SPAN_CODE: {
      in_code_ = false;
      const std::string_view rest = std::string_view(code_).substr(code_.empty() ? 0 : 1);
      if (in_link_) {
        append(Span::Kind::link, code_);
      } else if (code_.starts_with('=') && is_plain_name(rest)) {
        append(Span::Kind::figure, rest);
      } else if (code_.starts_with('@') && is_plain_name(rest)) {
        append(Span::Kind::parameter, rest);
      } else {
        append(Span::Kind::code, code_);
      }
      return 0;
    }
    case MD_SPAN_LATEXMATH:
    case MD_SPAN_LATEXMATH_DISPLAY: return close_formula();
    case MD_SPAN_A: in_link_ = false; return 0;
    default: return 0;
  }
}

int Collector::text(MD_TEXTTYPE type, std::string_view piece) {
  see(piece.data());
  if (fence_) {
    fence_->body += piece;
    return 0;
  }
  if (in_code_) {
    code_ += type == MD_TEXT_NULLCHAR ? "\ufffd" : piece;
    return 0;
  }
  if (in_formula_) {
    code_ += type == MD_TEXT_SOFTBR || type == MD_TEXT_BR ? " " : piece;
    return 0;
  }
  if (type == MD_TEXT_NORMAL && is_stray_dollar(piece)) {
    return refuse("dollar");
  }
  const Span::Kind kind = in_link_ ? Span::Kind::link : Span::Kind::text;
  switch (type) {
    case MD_TEXT_NULLCHAR: append(kind, "\ufffd"); return 0;
    case MD_TEXT_BR:
    case MD_TEXT_SOFTBR: soft_break_ = true; return 0;
    case MD_TEXT_ENTITY: append(kind, decoded_entity(piece)); return 0;
    default: append(kind, piece); return 0;
  }
}

int on_enter_block(MD_BLOCKTYPE type, void* detail, void* user) {
  return static_cast<Collector*>(user)->enter_block(type, detail);
}
int on_leave_block(MD_BLOCKTYPE type, void*, void* user) {
  return static_cast<Collector*>(user)->leave_block(type);
}
int on_enter_span(MD_SPANTYPE type, void* detail, void* user) {
  return static_cast<Collector*>(user)->enter_span(type, detail);
}
int on_leave_span(MD_SPANTYPE type, void*, void* user) {
  return static_cast<Collector*>(user)->leave_span(type);
}
int on_text(MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* user) {
  return static_cast<Collector*>(user)->text(type, {text, size});
}

}  // namespace

device::Expected<std::vector<MarkdownBlock>> parse_markdown(std::string_view text,
                                                            const std::string& file) {
  if (!is_utf8(text)) return device::failure(ErrorCode::not_utf8, {{"file", file}});
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  Collector collector(text, file);
  MD_PARSER parser{};
  parser.flags = MD_FLAG_NOINDENTEDCODEBLOCKS | MD_FLAG_NOHTML | MD_FLAG_LATEXMATHSPANS;
  parser.enter_block = on_enter_block;
  parser.leave_block = on_leave_block;
  parser.enter_span = on_enter_span;
  parser.leave_span = on_leave_span;
  parser.text = on_text;
  return collector.finish(
      md_parse(text.data(), static_cast<MD_SIZE>(text.size()), &parser, &collector));
}

device::Expected<Spans> parse_inline(std::string_view text, const std::string& file,
                                     std::uint32_t line) {
  // A full stop in front keeps "1. ...", "- ..." and "# ..." from being lists and headings; it is taken away again.
  while (!text.empty() && (text.front() == '\n' || text.front() == ' ')) text.remove_prefix(1);
  auto blocks = parse_markdown("." + std::string(text), file);
  if (!blocks) {
    Error error = blocks.error();
    error.place.line = line + (error.place.line == 0 ? 0 : error.place.line - 1);
    return tl::unexpected(std::move(error));
  }
  auto* paragraph = blocks->size() == 1 ? std::get_if<Paragraph>(&blocks->front().value) : nullptr;
  if (!paragraph) {
    return tl::unexpected(text_error("paragraphs", {}, {file, line, 0}));
  }
  Spans spans = std::move(paragraph->spans);
  spans.front().text.erase(0, 1);
  if (spans.front().text.empty()) spans.erase(spans.begin());
  return spans;
}

std::string plain_text(const Spans& spans) {
  std::string text;
  for (const Span& span : spans) text += span.text;
  return text;
}

}  // namespace warpbook::lab
