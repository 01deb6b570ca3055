#include "device/compiler/device_part.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "device/platform.hpp"

namespace warpbook::device {
namespace {

constexpr std::size_t kMaxExpandedBytes = 16u << 20;
constexpr std::size_t kMaxIncludeDepth = 32;

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         (static_cast<unsigned char>(c) & 0x80) != 0;
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }

struct Token {
  enum class Kind : std::uint8_t { word, mark, literal, directive } kind;
  std::size_t begin, end;
};

/// Words, punctuation, literals and whole preprocessor lines; comments and blanks are left out.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::vector<Token> all() {
    std::vector<Token> tokens;
    bool line_start = true;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      const std::size_t begin = at_;
      if (c == '\n') {
        line_start = true;
        ++at_;
        continue;
      }
      if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' || c == '\\') {
        ++at_;
        continue;
      }
      if (starts("//")) {
        skip_line();
        continue;
      }
      if (starts("/*")) {
        const auto close = text_.find("*/", at_ + 2);
        at_ = close == std::string_view::npos ? text_.size() : close + 2;
        continue;
      }
      if (c == '#' && line_start) {
        skip_line();
        tokens.push_back({Token::Kind::directive, begin, at_});
        continue;
      }
      line_start = false;
      if (is_letter(c)) {
        while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
        if (at_ < text_.size() && text_[at_] == '"' && text_[at_ - 1] == 'R') {
          raw_string();
          tokens.push_back({Token::Kind::literal, begin, at_});
        } else {
          tokens.push_back({Token::Kind::word, begin, at_});
        }
      } else if (is_digit(c)) {
        while (at_ < text_.size() &&
               (is_letter(text_[at_]) || is_digit(text_[at_]) || text_[at_] == '\''))
          ++at_;
        tokens.push_back({Token::Kind::literal, begin, at_});
      } else if (c == '"' || c == '\'') {
        quoted(c);
        tokens.push_back({Token::Kind::literal, begin, at_});
      } else {
        ++at_;
        tokens.push_back({Token::Kind::mark, begin, at_});
      }
    }
    return tokens;
  }

 private:
  [[nodiscard]] bool starts(std::string_view what) const {
    return text_.substr(at_).starts_with(what);
  }

  /// To the end of the logical line: a backslash before the line's end joins the next one.
  void skip_line() {
    while (at_ < text_.size()) {
      const auto end = text_.find('\n', at_);
      if (end == std::string_view::npos) {
        at_ = text_.size();
        return;
      }
      const bool joined =
          end > at_ && (text_[end - 1] == '\\' ||
                        (end > at_ + 1 && text_[end - 1] == '\r' && text_[end - 2] == '\\'));
      at_ = joined ? end + 1 : end;
      if (!joined) return;
    }
  }

  void quoted(char mark) {
    ++at_;
    while (at_ < text_.size() && text_[at_] != mark && text_[at_] != '\n')
      at_ += text_[at_] == '\\' ? 2 : 1;
    at_ = std::min(at_ + 1, text_.size());
  }

  void raw_string() {
    const auto open = text_.find('(', at_);
    if (open == std::string_view::npos) {
      at_ = text_.size();
      return;
    }
    const std::string close = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
    const auto end = text_.find(close, open);
    at_ = end == std::string_view::npos ? text_.size() : end + close.size();
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

constexpr std::string_view kDeviceMarks[] = {"__global__", "__device__", "__constant__",
                                             "__shared__", "__managed__"};

bool is_device_mark(std::string_view word) {
  return std::ranges::find(kDeviceMarks, word) != std::end(kDeviceMarks);
}

/// What stands at namespace scope from `first` to a ';' or the '}' of its body.
class HostCode {
 public:
  explicit HostCode(std::string_view source)
      : text_(source), tokens_(Scanner(source).all()), result_(source) {}

  std::string remove() {
    collect_device_macros();
    for (std::size_t at = 0; at < tokens_.size();) at = declaration(at);
    for (auto place = insertions_.rbegin(); place != insertions_.rend(); ++place)
      result_.insert(*place, "__device__ ");
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::string_view word(std::size_t i) const {
    return text_.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin);
  }
  [[nodiscard]] bool is(std::size_t i, std::string_view what) const {
    return i < tokens_.size() && word(i) == what;
  }

  /// `#define HD __host__ __device__` makes HD a mark as well.
  void collect_device_macros() {
    for (const Token& token : tokens_) {
      if (token.kind != Token::Kind::directive) continue;
      const std::string_view line = text_.substr(token.begin + 1, token.end - token.begin - 1);
      const std::vector<Token> words = Scanner(line).all();
      const auto spelled = [&](std::size_t i) {
        return line.substr(words[i].begin, words[i].end - words[i].begin);
      };
      if (words.size() < 3 || spelled(0) != "define") continue;
      for (std::size_t i = 2; i < words.size(); ++i) {
        if (is_device_mark(spelled(i)) || device_macros_.contains(spelled(i)))
          device_macros_.insert(spelled(1));
      }
    }
  }

  /// Index after the bracket that closes the one at `open`, or the count of tokens + 1 where none
  /// does.
  [[nodiscard]] std::size_t after_closing(std::size_t open) const {
    int depth = 0;
    for (std::size_t i = open; i < tokens_.size(); ++i) {
      if (is(i, "{")) ++depth;
      if (is(i, "}") && --depth == 0) return i + 1;
    }
    return tokens_.size() + 1;
  }

  void blank(std::size_t first, std::size_t last) {
    // Preprocessor lines stay: a condition that opens inside may close outside.
    for (std::size_t i = first, at = tokens_[first].begin; i <= last; ++i) {
      const bool kept = tokens_[i].kind == Token::Kind::directive;
      for (const std::size_t end = kept ? tokens_[i].begin : tokens_[i].end; at < end; ++at) {
        if (result_[at] != '\n' && result_[at] != '\r') result_[at] = ' ';
      }
      at = tokens_[i].end;
    }
  }

  struct Traits {
    bool device = false, is_type = false, assigned = false, has_parentheses = false,
         constant = false, folded = false;
    bool mentions_std = false;
  };

  [[nodiscard]] Traits traits_of(std::size_t first, std::size_t last) const {
    Traits t;
    int angles = 0;
    bool operator_name = false;  // "operator==" assigns nothing
    for (std::size_t i = first; i < last; ++i) {
      if (tokens_[i].kind == Token::Kind::directive) continue;
      const std::string_view w = word(i);
      if (w == "operator") operator_name = true;
      if (is_device_mark(w) || device_macros_.contains(w)) t.device = true;
      if (w == "<") ++angles;
      if (w == ">") angles = std::max(0, angles - 1);
      if (angles == 0 && !t.has_parentheses &&
          (w == "class" || w == "struct" || w == "union" || w == "enum"))
        t.is_type = true;
      if (w == "=" && angles == 0 && !t.has_parentheses && !operator_name) t.assigned = true;
      if (w == "(" && !t.assigned) t.has_parentheses = true;
      if (w == "const" && !t.has_parentheses) t.constant = true;
      if (w == "constexpr" || w == "consteval") t.folded = true;
      if (w == "std" && is(i + 1, ":")) t.mentions_std = true;
    }
    return t;
  }

  /// Treats the declaration that begins at token `first`; gives the token after it.
  std::size_t declaration(std::size_t first) {
    if (tokens_[first].kind == Token::Kind::directive || is(first, ";") || is(first, "}"))
      return first + 1;
    std::size_t at = first;
    int parentheses = 0;
    for (; at < tokens_.size(); ++at) {
      if (tokens_[at].kind == Token::Kind::directive) continue;
      if (is(at, "(")) ++parentheses;
      if (is(at, ")")) --parentheses;
      if (parentheses == 0 && (is(at, ";") || is(at, "{"))) break;
    }
    if (at >= tokens_.size()) return tokens_.size();
    if (is(at, ";")) {
      statement(first, at);
      return at + 1;
    }
    const bool scope = is(first, "namespace") ||
                       (is(first, "inline") && is(first + 1, "namespace")) ||
                       (is(first, "extern") && at == first + 2);
    if (scope) return at + 1;  // its contents are at namespace scope too

    const Traits traits = traits_of(first, at);
    const std::size_t after = after_closing(at);
    if (after > tokens_.size())
      return tokens_.size();  // unbalanced: leave the rest to the compiler
    const bool returns_type = traits.is_type && is(at - 1, ")") && !is(first, "typedef");
    if (traits.has_parentheses && (!traits.is_type || returns_type) && !traits.assigned) {
      function(first, after, traits);
      return after;
    }
    // A type or an initialised variable goes on to its semicolon.
    std::size_t end = after;
    while (end < tokens_.size() && !is(end, ";")) ++end;
    if (!traits.is_type && end < tokens_.size()) statement(first, end);
    return std::min(end + 1, tokens_.size());
  }

  void function(std::size_t first, std::size_t after, const Traits& traits) {
    if (traits.device) return;
    if (traits.folded) {
      std::size_t place = first;
      if (is(first, "template")) {
        int depth = 0;
        for (place = first + 1; place < after; ++place) {
          if (is(place, "<")) ++depth;
          if (is(place, ">") && --depth == 0) break;
        }
        ++place;
      }
      insertions_.push_back(tokens_[place].begin);
      return;
    }
    blank(first, after - 1);
  }

  /// A declaration that ends in the semicolon at `last`.
  void statement(std::size_t first, std::size_t last) {
    const Traits traits = traits_of(first, last);
    if (traits.device) return;
    if (is(first, "using")) {
      // "using namespace std;" and "using std::x;" mean headers that only a host has.
      const bool alias = last > first + 2 && is(first + 2, "=");
      if (!alias && (traits.mentions_std || is(first + 2, "std"))) blank(first, last);
      return;
    }
    for (const std::string_view keep :
         {"typedef", "template", "static_assert", "friend", "namespace", "extern"}) {
      if (is(first, keep)) return;
    }
    if (traits.is_type && !traits.mentions_std) return;
    const bool prototype = traits.has_parentheses && !traits.assigned;
    if (prototype ? traits.mentions_std : !traits.constant && !traits.folded && last > first + 1)
      blank(first, last);
  }

  std::string_view text_;
  std::vector<Token> tokens_;
  std::string result_;
  std::set<std::string_view> device_macros_;
  std::vector<std::size_t> insertions_;
};

/// "#include "x.cuh"" -> x.cuh; anything else -> nothing.
std::string_view quoted_include(std::string_view line) {
  const auto skip_blanks = [&] {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  };
  skip_blanks();
  if (!line.starts_with('#')) return {};
  line.remove_prefix(1);
  skip_blanks();
  if (!line.starts_with("include")) return {};
  line.remove_prefix(7);
  skip_blanks();
  if (!line.starts_with('"')) return {};
  line.remove_prefix(1);
  const auto end = line.find('"');
  return end == std::string_view::npos ? std::string_view() : line.substr(0, end);
}

class Includer {
 public:
  explicit Includer(const std::filesystem::path& file)
      : folder_(std::filesystem::weakly_canonical(file).parent_path()) {}

  Expected<std::string> expand(const std::filesystem::path& file, std::string_view text,
                               std::size_t depth) {
    std::string result;
    const std::string shown = shown_name(file);
    std::size_t number = 0;
    while (!text.empty()) {
      const auto end = text.find('\n');
      const std::string_view line =
          text.substr(0, end == std::string_view::npos ? text.size() : end + 1);
      text.remove_prefix(line.size());
      ++number;
      const std::string_view name = quoted_include(line);
      const auto header = name.empty() ? std::filesystem::path() : own_header(file, name);
      if (header.empty()) {
        result += line;
        continue;
      }
      if (once_.contains(header) || depth >= kMaxIncludeDepth) {
        result += '\n';
        continue;
      }
      auto content = read_file(header, kMaxExpandedBytes);
      if (!content) return tl::unexpected(content.error());
      if (content->find("#pragma once") != std::string::npos) {
        once_.insert(header);
        const auto pragma = content->find("#pragma once");
        content->replace(pragma, 12, 12, ' ');  // in the main text it would only be warned of
      }
      auto expanded = expand(header, *content, depth + 1);
      if (!expanded) return expanded;
      result += fmt::format("#line 1 \"{}\"\n{}\n#line {} \"{}\"\n", shown_name(header), *expanded,
                            number + 1, shown);
      if (result.size() > kMaxExpandedBytes) {
        return failure(ErrorCode::ptx_limit,
                       {{"why", fmt::format("{} with its headers has more than {} bytes", shown,
                                            kMaxExpandedBytes)}});
      }
    }
    return result;
  }

 private:
  /// The header as a file of the program itself: below the folder of the .cu, links followed. Else
  /// nothing.
  [[nodiscard]] std::filesystem::path own_header(const std::filesystem::path& from,
                                                 std::string_view name) const {
    std::error_code error;
    const auto path = std::filesystem::weakly_canonical(
        std::filesystem::weakly_canonical(from, error).parent_path() / std::filesystem::path(name),
        error);
    if (error || !std::filesystem::is_regular_file(path, error)) return {};
    const auto below = std::filesystem::relative(path, folder_, error);
    if (error || below.empty() || *below.begin() == "..") return {};
    return path;
  }

  [[nodiscard]] std::string shown_name(const std::filesystem::path& file) const {
    std::string name = file.filename().string();
    std::erase_if(
        name, [](char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; });
    return name;
  }

  std::filesystem::path folder_;
  std::set<std::filesystem::path> once_;
};

}  // namespace

std::string without_host_code(std::string_view source) { return HostCode(source).remove(); }

Expected<std::string> device_part_of(const std::filesystem::path& file, std::string_view source) {
  auto whole = Includer(file).expand(file, source, 0);
  if (!whole) return whole;
  return without_host_code(*whole);
}

}  // namespace warpbook::device
