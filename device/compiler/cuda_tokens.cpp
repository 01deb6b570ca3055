#include "device/compiler/cuda_tokens.hpp"

#include <algorithm>
#include <string>

namespace warpbook::device {
namespace {

bool is_word_character(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         byte >= 0x80;
}

class Scanner {
 public:
  explicit Scanner(std::string_view source) : source_(source) {}

  std::vector<CudaToken> scan(bool with_directives) {
    bool line_begins = true;
    while (at_ < source_.size()) {
      const char c = source_[at_];
      if (c == '\n') {
        line_begins = true;
        ++at_;
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' || c == '\\') {
        ++at_;
      } else if (looking_at("//")) {
        skip_line();
      } else if (looking_at("/*")) {
        skip_block_comment();
      } else if (c == '#' && line_begins && with_directives) {
        const std::size_t begin = at_;
        skip_directive();
        add(CudaToken::Kind::directive, begin);
      } else {
        line_begins = false;
        token();
      }
    }
    return std::move(tokens_);
  }

 private:
  [[nodiscard]] bool looking_at(std::string_view text) const {
    return source_.substr(at_).starts_with(text);
  }

  void add(CudaToken::Kind kind, std::size_t begin) {
    tokens_.push_back({kind, source_.substr(begin, at_ - begin)});
  }

  // To the line end that no backslash takes away.
  void skip_line() {
    while (at_ < source_.size() && source_[at_] != '\n')
      at_ += source_[at_] == '\\' ? spliced() : 1;
  }

  // A backslash and the character behind it, where that is a line end \r\n counts as one.
  [[nodiscard]] std::size_t spliced() const {
    if (source_.substr(at_).starts_with("\\\r\n")) return 3;
    return std::min<std::size_t>(2, source_.size() - at_);
  }

  void skip_block_comment() {
    const std::size_t end = source_.find("*/", at_ + 2);
    at_ = end == std::string_view::npos ? source_.size() : end + 2;
  }

  void skip_directive() {
    while (at_ < source_.size() && source_[at_] != '\n') {
      if (looking_at("/*")) {
        skip_block_comment();
      } else if (looking_at("//")) {
        skip_line();
      } else {
        at_ += source_[at_] == '\\' ? spliced() : 1;
      }
    }
  }

  void skip_quoted(char quote) {
    ++at_;
    while (at_ < source_.size() && source_[at_] != quote && source_[at_] != '\n')
      at_ += source_[at_] == '\\' ? spliced() : 1;
    if (at_ < source_.size() && source_[at_] == quote) ++at_;
  }

  // R"name( ... )name"
  void skip_raw() {
    const std::size_t open = source_.find('(', at_);
    if (open == std::string_view::npos || open - at_ > 20) return skip_quoted('"');
    std::string closing = ")";
    closing += source_.substr(at_ + 1, open - at_ - 1);
    closing += '"';
    const std::size_t end = source_.find(closing, open);
    at_ = end == std::string_view::npos ? source_.size() : end + closing.size();
  }

  void token() {
    const std::size_t begin = at_;
    const char c = source_[at_];
    if (is_word_character(c)) {
      const bool number = c >= '0' && c <= '9';
      // 1'000'000 and 1.5e-3 are one number each, as far as it matters here.
      while (at_ < source_.size() && (is_word_character(source_[at_]) ||
                                      (number && source_[at_] == '\'' && at_ + 1 < source_.size() &&
                                       is_word_character(source_[at_ + 1])))) {
        ++at_;
      }
      const std::string_view word = source_.substr(begin, at_ - begin);
      const bool quoted = at_ < source_.size() && (source_[at_] == '"' || source_[at_] == '\'');
      if (!quoted || number) return add(CudaToken::Kind::word, begin);
      if (word == "R" || word == "LR" || word == "uR" || word == "UR" || word == "u8R") {
        skip_raw();
      } else if (word == "L" || word == "u" || word == "U" || word == "u8") {
        skip_quoted(source_[at_]);
      } else {
        return add(CudaToken::Kind::word, begin);
      }
      return add(CudaToken::Kind::literal, begin);
    }
    if (c == '"' || c == '\'') {
      skip_quoted(c);
      return add(CudaToken::Kind::literal, begin);
    }
    ++at_;
    add(CudaToken::Kind::mark, begin);
  }

  std::string_view source_;
  std::size_t at_ = 0;
  std::vector<CudaToken> tokens_;
};

}  // namespace

std::vector<CudaToken> cuda_tokens(std::string_view source) { return Scanner(source).scan(true); }

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (const CudaToken& token : Scanner(text).scan(false)) {
    if (token.kind == CudaToken::Kind::word) words.push_back(token.text);
  }
  return words;
}

}  // namespace warpbook::device
