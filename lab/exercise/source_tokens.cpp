#include "lab/exercise/source_tokens.hpp"

#include <algorithm>
#include <cctype>

namespace warpbook::lab {
namespace {

bool of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Signs of more than one letter, the longest first.
constexpr std::string_view kLongSigns[] = {
    "<<=", ">>=", "...", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=",
    "-=",  "*=",  "/=",  "%=", "&=", "|=", "^=", "++", "--", "->", "::"};

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}

  std::vector<SourceToken> tokens() {
    while (at_ < source_.size()) {
      if (!skip()) take();
    }
    return std::move(tokens_);
  }

 private:
  [[nodiscard]] bool starts(std::string_view text) const {
    return source_.substr(at_).starts_with(text);
  }
  void skip_past(std::string_view end) {
    const auto found = source_.find(end, at_);
    at_ = found == source_.npos ? source_.size() : found + end.size();
  }
  /// Space, a comment, a line for the preprocessor, a string or a letter in quotes.
  bool skip() {
    const char c = source_[at_];
    if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      ++at_;
    } else if (starts("//")) {
      skip_past("\n");
    } else if (c == '#') {
      // A line that ends in a backslash goes on in the next one.
      do skip_past("\n");
      while (at_ < source_.size() && source_.substr(at_ - 2, 2) == "\\\n");
    } else if (starts("/*")) {
      skip_past("*/");
    } else if (c == '"' || c == '\'') {
      for (++at_; at_ < source_.size() && source_[at_] != c; ++at_) at_ += source_[at_] == '\\';
      ++at_;
    } else {
      return false;
    }
    return true;
  }
  void take() {
    const std::size_t begin = at_;
    SourceToken::Kind kind = SourceToken::Kind::sign;
    if (std::isdigit(static_cast<unsigned char>(source_[at_])) != 0) {
      kind = SourceToken::Kind::number;
      while (at_ < source_.size() && (of_name(source_[at_]) || source_[at_] == '.')) {
        const bool exponent = source_[at_] == 'e' && source_.substr(begin, 2) != "0x";
        ++at_;
        if (exponent && at_ < source_.size() && (source_[at_] == '-' || source_[at_] == '+')) ++at_;
      }
    } else if (of_name(source_[at_])) {
      kind = SourceToken::Kind::name;
      while (at_ < source_.size() && of_name(source_[at_])) ++at_;
    } else {
      ++at_;
      for (const std::string_view sign : kLongSigns) {
        if (!source_.substr(begin).starts_with(sign)) continue;
        at_ = begin + sign.size();
        break;
      }
    }
    tokens_.push_back({kind, begin, source_.substr(begin, at_ - begin)});
  }

  std::string_view source_;
  std::size_t at_ = 0;
  std::vector<SourceToken> tokens_;
};

}  // namespace

std::vector<SourceToken> source_tokens(std::string_view source) { return Lexer(source).tokens(); }

}  // namespace warpbook::lab
