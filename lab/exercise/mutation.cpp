#include "lab/exercise/mutation.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "lab/exercise/source_tokens.hpp"

namespace warpbook::lab {
namespace {

constexpr std::size_t kMostDigits = 18;  // of a number that fits 64 bits

/// What else an operator or an index may have been, by mistake.
const std::map<std::string_view, std::vector<std::string_view>>& swaps() {
  static const std::map<std::string_view, std::vector<std::string_view>> by_word{
      {"<", {"<=", ">"}},
      {"<=", {"<", ">="}},
      {">", {">=", "<"}},
      {">=", {">", "<="}},
      {"==", {"!="}},
      {"!=", {"=="}},
      {"+", {"-"}},
      {"-", {"+"}},
      {"*", {"+"}},
      {"/", {"*"}},
      {"%", {"/"}},
      {"&&", {"||"}},
      {"||", {"&&"}},
      {"<<", {">>"}},
      {">>", {"<<"}},
      {"+=", {"=", "-="}},
      {"-=", {"+="}},
      {"*=", {"="}},
      {"/=", {"*="}},
      {"++", {"--"}},
      {"--", {"++"}},
      {"&", {"|"}},
      {"|", {"&"}},
      {"^", {"|"}},
      {"threadIdx", {"blockIdx"}},
      {"blockIdx", {"threadIdx"}},
      {"blockDim", {"gridDim"}},
      {"gridDim", {"blockDim"}},
      {"fmaxf", {"fminf"}},
      {"fminf", {"fmaxf"}},
      {"max", {"min"}},
      {"min", {"max"}},
      {"continue", {"break"}}};
  return by_word;
}

class Mutator {
 public:
  explicit Mutator(const std::string& source) : source_(source), tokens_(source_tokens(source)) {}

  std::vector<Mutation> all(Mutated mutated) {
    int depth = 0;
    int gpu_depth = 0;  // of the braces around the function on the GPU that this is in; 0: none
    bool declares_gpu = false;  // since the last statement or block ended
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const std::string_view text = tokens_[i].text;
      if (text == "__global__" || text == "__device__") declares_gpu = true;
      if (text == "{") {
        ++depth;
        if (declares_gpu && gpu_depth == 0) gpu_depth = depth;
      }
      if (text == "}" && depth-- == gpu_depth) gpu_depth = 0;
      if (text == "{" || text == "}" || text == ";") declares_gpu = false;
      if (depth == 0 || (mutated == Mutated::gpu_functions && gpu_depth == 0)) continue;
      swap(i);
      number(i);
      axis(i);
      guard(i);
      statement(i);
    }
    return std::move(mutations_);
  }

 private:
  [[nodiscard]] std::string_view text(std::size_t i) const {
    return i < tokens_.size() ? tokens_[i].text : std::string_view();
  }
  [[nodiscard]] std::size_t end_of(std::size_t i) const {
    return tokens_[i].at + tokens_[i].text.size();
  }

  /// What is written in place of the words from `begin` to `end`, and how the changed line shows it.
  void change(std::size_t begin, std::size_t end, const std::string& now,
              const std::string& shown) {
    Mutation mutation;
    mutation.was = source_.substr(begin, end - begin);
    mutation.now = now;
    mutation.source = source_.substr(0, begin) + now + source_.substr(end);
    mutation.line =
        1 + static_cast<std::uint32_t>(std::count(
                source_.begin(), source_.begin() + static_cast<std::ptrdiff_t>(begin), '\n'));
    const auto newline = source_.rfind('\n', begin == 0 ? 0 : begin - 1);
    std::size_t first = newline == std::string::npos ? 0 : newline + 1;
    while (first < begin && source_[first] == ' ') ++first;
    const std::size_t last = std::min(source_.find('\n', end), source_.size());
    mutation.text = source_.substr(first, begin - first) + shown + source_.substr(end, last - end);
    mutations_.push_back(std::move(mutation));
  }
  void change(std::size_t begin, std::size_t end, const std::string& now) {
    change(begin, end, now, now);
  }
  void change(std::size_t i, const std::string& now) { change(tokens_[i].at, end_of(i), now); }

  void swap(std::size_t i) {
    const auto found = swaps().find(tokens_[i].text);
    if (found == swaps().end()) return;
    for (const std::string_view other : found->second) change(i, std::string(other));
  }

  /// 3: 4 and 2; 0.5f: 1.5f.
  void number(std::size_t i) {
    if (tokens_[i].kind != SourceToken::Kind::number) return;
    const std::string word(tokens_[i].text);
    const std::size_t digits = word.find_first_not_of("0123456789");
    if (word.starts_with("0x") || digits == 0) return;
    if (digits != word.npos && word[digits] != '.' && word[digits] != 'f') {
      if (word[digits] != 'u' && word[digits] != 'l' && word[digits] != 'U' && word[digits] != 'L')
        return;
    }
    if (digits != word.npos ? digits > kMostDigits : word.size() > kMostDigits) return;
    const unsigned long long value = std::stoull(word.substr(0, digits));
    const std::string rest = digits == word.npos ? std::string() : word.substr(digits);
    change(i, std::to_string(value + 1) + rest);
    if (value > 0) change(i, std::to_string(value - 1) + rest);
  }

  /// threadIdx.x: threadIdx.y.
  void axis(std::size_t i) {
    if (i < 2 || text(i - 1) != ".") return;
    const std::string_view owner = text(i - 2);
    if (!owner.ends_with("Idx") && !owner.ends_with("Dim")) return;
    if (text(i) == "x") change(i, "y");
    if (text(i) == "y") change(i, "x");
  }

  /// if (...): if (true).
  void guard(std::size_t i) {
    if (text(i) != "if" || text(i + 1) != "(") return;
    int open = 0;
    for (std::size_t k = i + 1; k < tokens_.size(); ++k) {
      open += text(k) == "(" ? 1 : text(k) == ")" ? -1 : 0;
      if (open != 0) continue;
      change(end_of(i + 1), tokens_[k].at, "true");
      change(end_of(i + 1), tokens_[k].at, "false");
      return;
    }
  }

  /// A statement that begins here and declares nothing: left out, which its line shows as a comment, since one ";" looks like another.
  void statement(std::size_t i) {
    const std::string_view before = text(i - 1);
    if (i == 0 || (before != ";" && before != "{" && before != "}" && before != ")")) return;
    if (tokens_[i].kind != SourceToken::Kind::name && text(i) != "*" && text(i) != "++") return;
    static constexpr std::string_view kOthers[] = {"if",   "for",    "while", "do",
                                                   "else", "return", "switch"};
    if (std::ranges::find(kOthers, text(i)) != std::end(kOthers)) return;
    // "int k = 0;" declares: two names follow each other, or a type is a pointer or const.
    if (tokens_[i + 1 < tokens_.size() ? i + 1 : i].kind == SourceToken::Kind::name) return;
    int open = 0;
    for (std::size_t k = i; k < tokens_.size(); ++k) {
      open += text(k) == "(" ? 1 : text(k) == ")" ? -1 : 0;
      if (open < 0 || text(k) == "{") return;  // the head of a loop, or no statement
      if (text(k) != ";") continue;
      const std::string left_out = source_.substr(tokens_[i].at, end_of(k) - tokens_[i].at);
      change(tokens_[i].at, end_of(k), ";", "/* " + left_out + " */ ;");
      mutations_.back().now.clear();
      return;
    }
  }

  const std::string& source_;
  std::vector<SourceToken> tokens_;
  std::vector<Mutation> mutations_;
};

}  // namespace

std::vector<Mutation> mutations_of(const std::string& source, Mutated mutated) {
  return Mutator(source).all(mutated);
}

}  // namespace warpbook::lab
